"""Draws one printed line as the reader will crop it: 40 px high, the ink nearly filling it, with neighbouring lines
reaching in, embossed, spaced, condensed, and with all that a camera does to it."""

import random

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from paper import background, bilinear, camera, scratches, shrink, wear

HEIGHT = 40
SIZE = 44  # px of the em on the canvas
MARGIN = 60
CANVAS_HEIGHT = 170
BASE = 105


class Faces:
    """Opened faces, and which characters each can draw."""

    def __init__(self):
        self.opened = {}

    def open(self, path, size):
        if (path, size) not in self.opened:
            self.opened[path, size] = ImageFont.truetype(path, size)
        return self.opened[path, size]

    def lacks(self, path, text):
        """True when the face would draw an empty box for one of the characters."""
        face = self.open(path, SIZE)
        missing = bytes(face.getmask("\uffff"))
        return any(ord(char) > 127 and bytes(face.getmask(char)) == missing for char in set(text))


def put(draw, text, x, base, face, spacing, bold, gap=1.0):
    """Draws from x on the base line; answers where it ends. `gap`: width of a blank over the face's own. Letter by letter
    only when spaced: kerning is lost."""
    pieces = list(text) if spacing else [piece for word in text.split(" ") for piece in (word, " ")][:-1]
    for piece in pieces:
        if piece != " ":
            draw.text((x, base), piece, font=face, fill=255, anchor="ls", stroke_width=bold)
        x += face.getlength(piece) * (gap if piece == " " else 1) + spacing
    return x


def parts_of(rng, text):
    """The second half of a bilingual label or a value behind its colon is often set in another size."""
    for mark in (" / ", "/ ", ": "):
        at = text.find(mark)
        if at > 1 and rng.random() < 0.5:
            return [(text[: at + len(mark)], 1.0), (text[at + len(mark) :], 0.75 + rng.random() * 0.35)]
    return [(text, 1.0)]


def ink_mask(rng, faces, path, text, neighbours):
    """(ink share 0..1, left, right, top, bottom of the line's own ink)."""
    spacing = (rng.random() - 0.15) * 7 if rng.random() < 0.35 else 0
    bold = 1 if rng.random() < 0.12 else 0
    gap = 0.6 + 0.4 * rng.random() if rng.random() < 0.4 else 1.0
    parts = parts_of(rng, text)
    width = round(sum(faces.open(path, round(SIZE * s)).getlength(t) for t, s in parts) + max(0, spacing) * len(text)) + 2 * MARGIN + 8
    image = Image.new("L", (width, CANVAS_HEIGHT), 0)
    draw, x = ImageDraw.Draw(image), MARGIN
    for part, scale in parts:
        x = put(draw, part, x, BASE, faces.open(path, round(SIZE * scale)), spacing, bold, gap)
    box = image.getbbox() or (MARGIN, BASE - 30, MARGIN + 8, BASE)
    for line, below in neighbours:
        size = round(SIZE * (0.55 + rng.random() * 0.5))
        face = faces.open(path, size)
        top = box[3] + size * (0.75 + 0.08 + rng.random() * 0.5) if below else box[1] - size * (0.1 + rng.random() * 0.45)
        put(draw, line, MARGIN + (rng.random() - 0.5) * 60, top, face, 0, bold)
    return wear(rng, np.asarray(image, np.float32) / 255), box


def crop_of(rng, box):
    """Margins of the detector's box around the ink: left, right, top, bottom on the canvas."""
    left, top, right, bottom = box
    height = max(14, bottom - top)
    # A lone dash or full stop is not cut to its own height.
    if height > bottom - top:
        top, bottom = BASE - 26, BASE + 4
        height = bottom - top
    return (
        left - height * (rng.random() * 0.7 - 0.02),
        right + height * (rng.random() * 0.7 - 0.02),
        top - height * (rng.random() * 0.36 - 0.02),
        bottom + height * (rng.random() * 0.36 - 0.02),
    )


def sample(rng, canvas, crop):
    """Cuts the crop out, slightly rotated, sheared and stretched, at the resolution of the camera."""
    left, right, top, bottom = crop
    span, band = right - left, bottom - top
    width = max(24, round(span * HEIGHT / band * (0.82 + rng.random() * 0.36)))
    low = 0.3 + rng.random() * 0.6 if rng.random() < 0.55 else 1
    w, h = max(10, round(width * low)), max(11, round(HEIGHT * low))
    source, kx, ky = shrink(canvas, max(1.0, band / h))
    f = ((np.arange(w, dtype=np.float32) + 0.5) / w)[None, :]
    v = ((np.arange(h, dtype=np.float32) + 0.5) / h - 0.5)[:, None] * band
    bend, shear = (rng.random() - 0.5) * 0.1, (rng.random() - 0.5) * 0.3
    # A rotation moves the ends of a long line by no more than a fifth of its height.
    turn = max(-0.2 * band / span, min(0.2 * band / span, (rng.random() - 0.5) * 0.05))
    x = left + (f + bend * f * (1 - f)) * span + shear * v
    y = (top + bottom) / 2 + v * (1 + (rng.random() - 0.5) * 0.1 * (f - 0.5)) + turn * span * (f - 0.5)
    return bilinear(source, x * kx - 0.5, y * ky - 0.5), width, low


def relief(canvas, ink, strength):
    """Embossed or engraved: light on one edge of the strokes, shadow on the other."""
    return canvas + strength * (np.roll(ink, (-2, -2), (0, 1)) - np.roll(ink, (2, 2), (0, 1)))


def inked(rng, paper, level, ink):
    roll = rng.random()
    if roll < 0.03:
        return relief(paper, ink, (30 + rng.random() * 60) * rng.choice((-1, 1)))
    if roll < 0.10:  # light print on a dark ground
        dark = paper * (0.25 + rng.random() * 0.3)
        return dark * (1 - ink) + min(255, level * 0.4 + 90 + rng.random() * 100) * ink
    colour = rng.random() * max(15, level - 75)
    return paper * (1 - ink) + colour * ink


def draw_line(rng: random.Random, faces: Faces, path, text, others):
    """Grey image (40 x W, uint8) of the text; `others` are (text, is below) of lines that reach in."""
    ink, box = ink_mask(rng, faces, path, text, others)
    paper, level = background(rng, ink.shape[1], CANVAS_HEIGHT)
    canvas = inked(rng, paper, level, ink)
    if rng.random() < 0.05:
        canvas = scratches(rng, canvas)
    picture, width, low = sample(rng, canvas.astype(np.float32), crop_of(rng, box))
    return np.asarray(camera(rng, picture, low).resize((width, HEIGHT), Image.BICUBIC))
