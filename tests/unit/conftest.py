"""Properties are judged by what they find, not by how fast a busy machine runs one example."""

from __future__ import annotations

import importlib.util

import hypothesis

hypothesis.settings.register_profile("no deadline", deadline=None)
hypothesis.settings.load_profile("no deadline")

# Ray is an extra that few want, and large: where it isn't installed its tests are no part of a run.
collect_ignore = [] if importlib.util.find_spec("ray") else ["test_on_ray.py"]
