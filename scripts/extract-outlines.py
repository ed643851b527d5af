"""Writes src/specimen/outlines.generated.json: glyph outlines as polygons, 1000 units an em.

Needs: python3 with fonttools 4.66, Debian packages fonts-ocr-b and fonts-open-sans.
Run:   python3 scripts/extract-outlines.py

Licences of the outlines, from the packages' copyright files:
- OCR-B (Norbert Schwarz 1995, 2010; Matthew Skala 2012): 'You may freely use, modify and/or distribute this file,
  without limitation', compiled fonts in the public domain.
- Open Sans (Google Corporation 2010-2011): Apache-2.0.
"""

import json
import pathlib

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

FONTS = pathlib.Path("/usr/share/fonts")
SETS = {
    "ocrB": (FONTS / "opentype/ocr-b/OCRB.otf", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<"),
    "sans": (
        FONTS / "truetype/open-sans/OpenSans-Semibold.ttf",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,:;/-()°º'ÁÉÍÓÚÜÑáéíóúüñ·",
    ),
}
STEPS = 6


class PolygonPen(BasePen):
    """Collects contours; a curve becomes STEPS chords, at most 2 units from it at this size."""

    def __init__(self, glyphs):
        super().__init__(glyphs)
        self.contours = []

    def _moveTo(self, point):
        self.contours.append([point])

    def _lineTo(self, point):
        self.contours[-1].append(point)

    def _curveToOne(self, one, two, end):
        start = self._getCurrentPoint()
        for step in range(1, STEPS + 1):
            t = step / STEPS
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            self.contours[-1].append(
                tuple(
                    sum(w * p[axis] for w, p in zip(weights, (start, one, two, end)))
                    for axis in (0, 1)
                )
            )


def outline(font, character):
    glyphs = font.getGlyphSet()
    name = font.getBestCmap()[ord(character)]
    pen = PolygonPen(glyphs)
    glyphs[name].draw(pen)
    scale = 1000 / font["head"].unitsPerEm
    contours = [[round(v * scale) for point in contour for v in point] for contour in pen.contours]
    return {"advance": round(glyphs[name].width * scale), "contours": contours}


def main():
    sets = {}
    for name, (path, characters) in SETS.items():
        font = TTFont(path)
        sets[name] = {character: outline(font, character) for character in characters}
    target = pathlib.Path(__file__).parent.parent / "src/specimen/outlines.generated.json"
    target.write_text(json.dumps(sets, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


main()
