"""What the embedded server takes of the machine's memory."""

from __future__ import annotations

import pytest

from arxivscout.memory.postmaster import buffers

MB, GB = 1 << 20, 1 << 30


@pytest.mark.parametrize(
    ("memory", "expected"),
    [(512 * MB, 128 * MB), (4 * GB, 512 * MB), (8 * GB, GB), (1024 * GB, 4 * GB)],
)
def test_the_server_holds_a_small_part_of_the_memory_within_bounds(
    memory: int, expected: int
) -> None:
    assert buffers(memory) == expected
