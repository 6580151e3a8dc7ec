"""Properties are judged by what they find, not by how fast a busy machine runs one example."""

from __future__ import annotations

import hypothesis

hypothesis.settings.register_profile("no deadline", deadline=None)
hypothesis.settings.load_profile("no deadline")
