"""Ray's tests, where it is."""

from __future__ import annotations

import importlib.util

# Ray is an extra that few want, and large: where it isn't installed its tests are no part of a run.
collect_ignore = [] if importlib.util.find_spec("ray") else ["test_on_ray.py"]
