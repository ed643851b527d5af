"""Degradations missing in the plain lines: longer shake, streaks of glare, laminate, bad printers, and the letter shapes of nations
that do not print OCR-B as it is drawn."""

import math

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from paper import bilinear, field

#: Characters whose shape differs most between the faces in which states print MRZs.
VARYING = "MNWVYIJQG01469<"


class NationalGlyphs:
    """Glyphs of one line: all narrowed and slanted alike, some taken from another face, drawn by `glyphs`."""

    def __init__(self, rng, glyphs, faces, cap):
        self.glyphs, self.cap = glyphs, cap
        self.squeeze = 0.72 + rng.random() * 0.4 if rng.random() < 0.6 else 1
        self.slant = (rng.random() - 0.5) * 0.3 if rng.random() < 0.35 else 0
        self.other = rng.choice(faces) if rng.random() < 0.5 else None
        self.taken = set(rng.sample(VARYING, rng.randint(1, 6))) if self.other else set()
        self.size_for, self.masks = glyphs.size_for, {}

    def mask(self, path, size, stroke, char):
        if char not in self.masks:
            if char in self.taken:
                path, size = self.other, self.size_for(self.other, self.cap)
            self.masks[char] = self.shaped(self.glyphs.mask(path, size, stroke, char))
        return self.masks[char]

    def shaped(self, mask):
        if self.squeeze == 1 and self.slant == 0:
            return mask
        width, height = mask.size
        a, b = 1 / self.squeeze, self.slant / self.squeeze
        matrix = (a, b, width / 2 * (1 - a) - b * height * 0.45, 0, 1, 0)
        return mask.transform(mask.size, Image.AFFINE, matrix, Image.BILINEAR)


def printed(rng, ink):
    """A ribbon that spreads or starves, a head with dead dots, strokes made of dots."""
    height, width = ink.shape
    roll = rng.random()
    if roll < 0.4:
        image = Image.fromarray((np.clip(ink, 0, 1) * 255).astype(np.uint8))
        image = image.filter(rng.choice((ImageFilter.MaxFilter(3), ImageFilter.MinFilter(3))))
        ink = np.asarray(image, np.float32) / 255
    elif roll < 0.7:
        period, turn = 2.2 + rng.random() * 3, rng.random() * math.pi
        x, y = np.arange(width)[None, :], np.arange(height)[:, None]
        u, v = x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)
        dots = np.cos(2 * math.pi * u / period) + np.cos(2 * math.pi * v / period)
        ink = ink * np.clip(1.1 + dots * (0.3 + rng.random() * 0.5), 0, 1)
    if rng.random() < 0.5:
        ink = ink.copy()
        for _ in range(rng.randint(1, 4)):
            row = rng.randrange(height // 3, 2 * height // 3)
            ink[row : row + rng.randint(1, 2)] *= rng.random() * 0.6
    return np.asarray(ink, np.float32)


def laminate(rng, canvas):
    """Foil over the print: its unrest, a pattern of rings, stripes or dots that shines or dims, lines of micro-print."""
    height, width = canvas.shape
    grain = field(rng, width, height, 60) - 0.5
    canvas = canvas + grain * (rng.random() * 60)
    over = Image.new("L", (width, height), 0)
    draw, kind, step = ImageDraw.Draw(over), rng.randrange(4), rng.randint(9, 60)
    start, line = rng.randint(0, step), rng.randint(1, 3)
    for x in range(start - height, width + height, step):
        if kind == 0:
            draw.line((x, 0, x + (rng.random() - 0.5) * 8 + height * 0.5, height), fill=255, width=line)
            continue
        for y in range(start % 23, height, max(12, step)):
            radius = 1.5 + (rng.random() if kind == 1 else step / 3)
            if kind == 1:
                draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
            elif kind == 2:
                draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=255, width=line)
            else:
                draw.text((x, y), rng.choice(("SPECIMEN", "REPUBLICA", "ID 0123", "oooo")), fill=255)
    share = np.asarray(over.filter(ImageFilter.GaussianBlur(0.4 + rng.random())), np.float32) / 255
    target = rng.choice((255, 255, 230, 60))
    return canvas + (target - canvas) * share * (0.1 + rng.random() * 0.5)


def streaks(rng, picture):
    """Lamps mirrored by foil: bands at any angle with soft edges; the text below keeps a little contrast."""
    height, width = picture.shape
    x, y = np.arange(width, dtype=np.float32)[None, :], np.arange(height, dtype=np.float32)[:, None]
    for _ in range(rng.randint(1, 2)):
        turn = rng.gauss(0, 0.7) if rng.random() < 0.7 else math.pi / 2 + rng.gauss(0, 0.03)
        along = (x - rng.random() * width) * math.cos(turn) + (y - rng.random() * height) * math.sin(turn)
        half = height * (0.1 + rng.random() ** 2 * 2.4)
        soft = half * (0.15 + rng.random())
        band = 1 / (1 + np.exp(np.clip((np.abs(along) - half) / (0.3 * soft), -30, 30)))
        picture = picture + (255 - picture) * band * (0.25 + rng.random() * 0.57)
    return picture


def shaken(rng, picture, low):
    """A hand that moves along an arc while the shutter is open: up to three fifths of a character, any direction."""
    length = (1.5 + rng.random() * 10.5) * low
    angle, arc = rng.choice((rng.gauss(0, 0.35), rng.random() * math.pi)), (rng.random() - 0.5) * 1.2
    if abs(math.sin(angle)) > 0.5:
        length *= 0.55  # across the line the strokes of 32 px are gone sooner
    taps = max(3, round(length * 1.3))
    height, width = picture.shape
    x, y = np.arange(width, dtype=np.float32)[None, :], np.arange(height, dtype=np.float32)[:, None]
    total, weights = np.zeros_like(picture), 0.0
    dwell = rng.random() * 1.5
    for k in range(taps):
        t = k / (taps - 1) - 0.5
        dx, dy = t * length, arc * (t * t - 1 / 12) * length
        weight = math.exp(-dwell * (t + 0.5))
        moved = bilinear(picture, x + dx * math.cos(angle) - dy * math.sin(angle) + 0 * y, y + dx * math.sin(angle) + dy * math.cos(angle) + 0 * x)
        total, weights = total + weight * moved, weights + weight
    return (total / weights).astype(np.float32)
