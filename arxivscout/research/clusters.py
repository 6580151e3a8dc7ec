"""Groups of vectors that lie together: the same for the same vectors, whatever runs them.

Ward's linkage (J. H. Ward, J. Am. Stat. Assoc. 58, 236 (1963)) by the update of Lance and Williams;
the number of groups is the one with the best mean silhouette (P. J. Rousseeuw, J. Comput. Appl.
Math. 20, 53 (1987)). Ward and not average linkage: on papers found for one question the latter
splits off single papers and leaves all others in one group.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arxivscout.research.vectors import Vectors

MOST = 200  # vectors that are clustered; further ones join the group that is nearest
LEAST = 5  # fewer are one group
LEAST_SILHOUETTE = 0.02  # below it the groups are no better than chance
EVEN = 0.7
LEAST_MEMBERS = 3  # of a group, once there are four times as many vectors

Labels = NDArray[np.intp]


def clusters(vectors: Vectors, most: int) -> list[int]:
    """The group of each vector, numbered by first appearance; no group of a single vector.

    Args:
        vectors: unit length, shape (n, dim).
        most: at most so many groups, at least one.
    """
    count = len(vectors)
    if count < LEAST or most < 2:
        return [0] * count
    near = vectors[:MOST].astype(np.float64)
    distances = np.maximum(1.0 - near @ near.T, 0.0)
    np.fill_diagonal(distances, 0.0)
    best, chosen = 0.0, np.zeros(len(near), dtype=np.intp)
    for labels in _merges(distances, min(most, len(near) // 2)):
        labels = _joined(labels, near)
        if labels.max() == 0 or (score := silhouette(distances, labels)) < LEAST_SILHOUETTE:
            continue
        # Of partitions that part nearly as well, the one that leaves no group with most papers.
        score *= 1.0 - EVEN * np.bincount(labels).max() / len(labels)
        if score > best + 1e-9:
            best, chosen = score, labels
    if count > MOST:
        chosen = np.concatenate([chosen, _nearest(vectors[MOST:], near, chosen)])
    return _numbered(chosen)


def silhouette(distances: NDArray[np.float64], labels: Labels) -> float:
    """The mean over all points of (b − a) / max(a, b), from -1 to 1; 0 for a point by itself.

    Args:
        distances: shape (n, n).
        labels: 0 to k - 1, shape (n,), k ≥ 2.
    """
    member = np.eye(labels.max() + 1)[labels]
    sizes = member.sum(axis=0)
    sums = distances @ member
    rows = np.arange(len(labels))
    own = sums[rows, labels] / np.maximum(sizes[labels] - 1, 1)
    others = sums / np.maximum(sizes, 1)
    others[rows, labels] = np.inf
    others[:, sizes == 0] = np.inf
    other = others.min(axis=1)
    scale = np.maximum(np.maximum(own, other), 1e-12)
    return float(np.where(sizes[labels] > 1, (other - own) / scale, 0.0).mean())


def _merges(distances: NDArray[np.float64], most: int) -> list[Labels]:
    """Ward's partitions into `most` down to 2 groups."""
    count = len(distances)
    between = 2.0 * distances  # squared Euclidean distance of unit vectors
    np.fill_diagonal(between, np.inf)
    sizes = np.ones(count)
    labels = np.arange(count)
    found: list[Labels] = []
    for left in range(count, 2, -1):
        if left <= most:
            found.append(_dense(labels))
        one, other = sorted(divmod(int(np.argmin(between)), count))
        height = between[one, other]
        total = sizes + sizes[one] + sizes[other]
        merged = (
            (sizes + sizes[one]) * between[one]
            + (sizes + sizes[other]) * between[other]
            - sizes * height
        ) / total
        between[one] = between[:, one] = merged
        between[other] = between[:, other] = np.inf
        between[one, one] = np.inf
        sizes[one] += sizes[other]
        labels = np.where(labels == other, one, labels)
    found.append(_dense(labels))
    return found


def _joined(labels: Labels, vectors: NDArray[np.float64]) -> Labels:
    """The members of a group that is too small go to the one whose mean is nearest."""
    least = LEAST_MEMBERS if len(labels) >= 4 * LEAST_MEMBERS else 2
    small = np.bincount(labels)[labels] < least
    if small.all():
        return np.zeros_like(labels)
    if small.any():
        labels = labels.copy()
        labels[small] = _nearest(vectors[small], vectors[~small], labels[~small])
    return _dense(labels)


def _nearest(these: NDArray[np.floating], grouped: NDArray[np.floating], labels: Labels) -> Labels:
    kept, dense = np.unique(labels, return_inverse=True)
    member = np.eye(len(kept))[dense]
    means = (member / member.sum(axis=0)).T @ grouped
    means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)
    return np.asarray(kept[np.argmax(these @ means.T, axis=1)], dtype=np.intp)


def _dense(labels: Labels) -> Labels:
    return np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.intp)


def _numbered(labels: Labels) -> list[int]:
    number: dict[int, int] = {}
    return [number.setdefault(int(label), len(number)) for label in labels]
