"""Writes glyph outlines as polygons, 1000 units an em, to src/sandbox/specimen: outlines.generated.json, and typefaces.generated.json
for the drawn cards of tests and measurements.

Needs: python3 with fonttools 4.66, Debian packages fonts-ocr-b, fonts-open-sans, fonts-dejavu-core and fonts-roboto-unhinted.
Run:   python3 scripts/extract-outlines.py

Licences of the outlines, from the packages' copyright files:
- OCR-B (Norbert Schwarz 1995, 2010; Matthew Skala 2012): 'You may freely use, modify and/or distribute this file,
  without limitation', compiled fonts in the public domain.
- Open Sans (Google Corporation 2010-2011): Apache-2.0.
- Roboto Condensed (Google Inc. 2015): Apache-2.0.
- DejaVu Serif (Bitstream 2003, Tavmjong Bah 2006): Bitstream Vera licence.
"""

import json
import pathlib

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

FONTS = pathlib.Path("/usr/share/fonts")
LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,:;/-()°º'ÁÉÍÓÚÜÑáéíóúüñ·"
MORE = "ÀÂÃÄÇÈÊÌÎÒÔÕÖÙÛàâãäçèêìîòôõöùûßªº+&"
OPEN_SANS = FONTS / "truetype/open-sans/OpenSans-Semibold.ttf"
FILES = {
    "outlines.generated.json": {
        "ocrB": (FONTS / "opentype/ocr-b/OCRB.otf", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<"),
        "sans": (OPEN_SANS, LATIN),
    },
    "typefaces.generated.json": {
        "sans": (OPEN_SANS, LATIN + MORE),
        "condensed": (FONTS / "truetype/roboto/unhinted/RobotoCondensed-Regular.ttf", LATIN + MORE),
        "serif": (FONTS / "truetype/dejavu/DejaVuSerif.ttf", LATIN + MORE),
    },
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


def write(name, sets):
    glyphs = {}
    for key, (path, characters) in sets.items():
        font = TTFont(path)
        glyphs[key] = {character: outline(font, character) for character in characters}
    target = pathlib.Path(__file__).parent.parent / "src/sandbox/specimen" / name
    target.write_text(json.dumps(glyphs, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def main():
    for name, sets in FILES.items():
        write(name, sets)


main()
