"""Drawings put into a PDF whole, as figures are: the letters in them are labels, not text."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium


@dataclass(frozen=True, slots=True)
class Figures:
    """Drawings put into a page whole, as figures are, and the text that is not of any."""

    boxes: tuple[tuple[float, float, float, float], ...] = ()
    outside: frozenset[int | None] = frozenset()

    def hold(self, key: int | None, box: Any) -> bool:
        if not self.boxes or key in self.outside:
            return False
        x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
        return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in self.boxes)


def figures_of(page: Any, size: tuple[float, float]) -> Figures:
    """The figures of a page; what fills the page is the page itself."""
    boxes, outside = [], set[int | None]()
    edges = [ctypes.c_float() for _ in range(4)]
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        item = pdfium.FPDFPage_GetObject(page, index)
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            outside.add(address(item))
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and pdfium.FPDFPageObj_GetBounds(item, *edges):
            x0, y0, x1, y1 = (edge.value for edge in edges)
            if x1 - x0 < 0.75 * size[0] or y1 - y0 < 0.6 * size[1]:
                boxes.append((x0, y0, x1, y1))
    return Figures(tuple(boxes), frozenset(outside)) if outside else Figures()


def address(pointer: Any) -> int | None:
    """What tells objects of pdfium apart."""
    return ctypes.cast(pointer, ctypes.c_void_p).value
