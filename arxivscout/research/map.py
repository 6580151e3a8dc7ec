"""Papers as points on a plane: what lies together by meaning lies together there, nearly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arxivscout.research.vectors import unit

GAP = 0.03  # two marks nearer than this hide each other
_TURN = np.pi * (3 - np.sqrt(5))  # the golden angle: no two steps of the spiral meet


def positions(vectors: NDArray[Any]) -> NDArray[np.float64]:
    """The vectors on their first two principal axes, in [-1, 1], shape (n, 2).

    Both axes have one scale, so distances mean something. Each axis points to where the first
    paper that is off its middle stands, so the map is the same each time; points that coincide are
    nudged apart.
    """
    count = len(vectors)
    if count == 0:
        return np.zeros((0, 2))
    rows = unit(vectors).astype(np.float64)
    centred = rows - rows.mean(axis=0) if rows.shape[1] else np.zeros((count, 1))
    points = np.zeros((count, 2))
    # The Gram matrix is small when the papers are few, whatever the dimension.
    values, axes = np.linalg.eigh(centred @ centred.T)
    for axis, place in enumerate(np.argsort(values)[::-1][:2]):
        if values[place] > 1e-9:
            column = axes[:, place] * np.sqrt(values[place])
            first = column[np.argmax(np.abs(column) > 0.1 * np.abs(column).max())]
            points[:, axis] = column * np.sign(first)
    return _within(_apart(_within(points)))


def _apart(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """No two points in one place: a later one moves along a spiral until it is free."""
    gap = min(GAP, 0.5 / np.sqrt(len(points)))
    placed = np.empty_like(points)
    steps: dict[tuple[int, int], int] = {}
    for i, point in enumerate(points):
        cell = (round(point[0] / gap), round(point[1] / gap))
        placed[i] = point
        step = steps.get(cell, 0)
        while i and np.hypot(*(placed[:i] - placed[i]).T).min() < gap:
            step += 1
            radius = gap * np.sqrt(step)
            placed[i] = point + radius * np.array([np.cos(step * _TURN), np.sin(step * _TURN)])
        steps[cell] = step
    return placed


def _within(points: NDArray[np.float64]) -> NDArray[np.float64]:
    largest = np.abs(points).max()
    return points / largest if largest > 1.0 or 0 < largest < 1.0 else points
