"""Draws one line of a document as the reader will crop it: 32 px high, the ink in the middle third or
more, neighbouring lines reaching in, and with all that a phone, a lamp and years in a pocket do to it."""

import random

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from hardships import NationalGlyphs, laminate, printed, shaken, streaks
from paper import background, bilinear, camera, scratches, shrink, wear

HEIGHT = 32
PITCH = 24  # px from character to character on the canvas
MARGIN = 80
CANVAS_HEIGHT = 150
FONT_ROOT = "/usr/share/fonts/"
OCR_B = FONT_ROOT + "opentype/ocr-b/OCRB.otf"
#: file, weight. The faces of the test split are not among those of the training split, but for OCR-B itself.
TRAIN_FONTS = (
    (OCR_B, 80),
    (FONT_ROOT + "opentype/ocr-b/OCRBL.otf", 7),
    (FONT_ROOT + "truetype/liberation/LiberationMono-Regular.ttf", 4),
    (FONT_ROOT + "truetype/liberation/LiberationMono-Bold.ttf", 3),
    (FONT_ROOT + "truetype/dejavu/DejaVuSansMono.ttf", 4),
    (FONT_ROOT + "truetype/dejavu/DejaVuSansMono-Bold.ttf", 2),
)
TEST_FONTS = (
    (OCR_B, 40),
    (FONT_ROOT + "opentype/ocr-b/OCRBS.otf", 45),
    (FONT_ROOT + "truetype/freefont/FreeMonoBold.ttf", 15),
)
#: Faces of the hard lines: also proportional ones set at one pitch, as some states print their MRZs.
HARD_TRAIN_FONTS = (
    *TRAIN_FONTS[:2],
    *TRAIN_FONTS[2:],
    (FONT_ROOT + "truetype/liberation/LiberationSans-Regular.ttf", 3),
    (FONT_ROOT + "truetype/liberation/LiberationSans-Bold.ttf", 2),
    (FONT_ROOT + "truetype/lato/Lato-Medium.ttf", 3),
    (FONT_ROOT + "truetype/open-sans/OpenSans-Semibold.ttf", 3),
)
HARD_TEST_FONTS = (
    *TEST_FONTS[:2],
    (FONT_ROOT + "truetype/freefont/FreeMonoBold.ttf", 7),
    (FONT_ROOT + "truetype/roboto/unhinted/RobotoTTF/Roboto-Medium.ttf", 8),
)


class Glyphs:
    """Glyph masks by font, size and stroke; drawing a character anew costs more than pasting it."""

    def __init__(self):
        self.fonts, self.masks = {}, {}

    def font(self, path, size):
        if (path, size) not in self.fonts:
            self.fonts[path, size] = ImageFont.truetype(path, size)
        return self.fonts[path, size]

    def size_for(self, path, cap):
        top = -self.font(path, 100).getbbox("H", anchor="ls")[1]
        return max(12, round(cap * 100 / top))

    def mask(self, path, size, stroke, char):
        key = (path, size, stroke, char)
        if key not in self.masks:
            image = Image.new("L", (PITCH * 3, PITCH * 4), 0)
            ImageDraw.Draw(image).text(
                (PITCH * 1.5, PITCH * 2.5), char, font=self.font(path, size), fill=255, anchor="ms", stroke_width=stroke
            )
            self.masks[key] = image
        return self.masks[key]


def ink_mask(rng, glyphs, rows, index, path, cap):
    """Ink share 0..1 of the line and its neighbours, with the printer's jitter and missing strokes."""
    length = len(rows[index])
    width = length * PITCH + 2 * MARGIN
    image = Image.new("L", (width, CANVAS_HEIGHT), 0)
    size, stroke = glyphs.size_for(path, cap), rng.choice((0, 0, 0, 1, 1))
    pitch_of_lines = PITCH * rng.choice((1.68, 2.45, 2.45, 1.9 + rng.random() * 0.8))
    jitter_x, jitter_y = rng.random() * 1.2, rng.random()
    for i, text in enumerate(rows):
        base = CANVAS_HEIGHT / 2 + cap / 2 + (i - index) * pitch_of_lines
        if base < 0 or base > CANVAS_HEIGHT + cap:
            continue
        for k, char in enumerate(text[:length]):
            x = MARGIN + (k + 0.5) * PITCH + (rng.random() - 0.5) * jitter_x
            y = base + (rng.random() - 0.5) * jitter_y
            image.paste(255, (round(x - PITCH * 1.5), round(y - PITCH * 2.5)), glyphs.mask(path, size, stroke, char))
    return wear(rng, np.asarray(image, np.float32) / 255)


def sample(rng, canvas, cap, length, bow=0.0):
    """Cuts the line out along a slightly wrong axis and at the resolution of the camera. `bow`: px of the canvas that a
    bent page lifts the line by, at most."""
    band = cap * (1.2 + rng.random() * 0.85) + 1.6 * bow  # the reader takes the ink rows and 30 % on each side
    scale = HEIGHT / band
    left, right = (4 + rng.random() * 30 - (6 if rng.random() < 0.1 else 0) for _ in range(2))
    span = length * PITCH + left + right
    width = round(span * scale * (0.86 + rng.random() * 0.28))
    low = 0.27 + rng.random() * 0.6 if rng.random() < 0.6 else 1
    w, h = max(40, round(width * low)), max(9, round(HEIGHT * low))
    source, kx, ky = shrink(canvas, max(1.0, band / h))
    f = (np.arange(w, dtype=np.float32) + 0.5) / w
    v = ((np.arange(h, dtype=np.float32) + 0.5) / h - 0.5)[:, None] * band
    bend, tilt, curve = (rng.random() - 0.5) * 0.16, (rng.random() - 0.5) * 0.02, (rng.random() - 0.5) * 8
    along = f + bend * f * (1 - f)
    x = MARGIN - left + along[None, :] * span + (rng.random() - 0.5) * 0.34 * v
    taper = 1 + (rng.random() - 0.5) * 0.12 * (f[None, :] - 0.5)
    y = CANVAS_HEIGHT / 2 + (rng.random() - 0.5) * band * 0.18 + v * taper
    y = y + tilt * (x - canvas.shape[1] / 2) + curve * (4 * f * (1 - f) - 0.5)[None, :]
    if bow > 0:
        y = y + bow * np.sin((f - rng.random()) * np.pi * rng.choice((1, 1.5, 2)))[None, :]
    return bilinear(source, x * kx - 0.5, y * ky - 0.5), width, low


def draw_line(rng: random.Random, glyphs: Glyphs, rows, index, fonts):
    """Grey image (32 x W, uint8) of rows[index], with the other rows above and below it."""
    files, weights = zip(*fonts)
    path, cap = rng.choices(files, weights)[0], PITCH * (0.9 + rng.random() * 0.32)
    paper, level = background(rng, len(rows[index]) * PITCH + 2 * MARGIN, CANVAS_HEIGHT)
    ink = ink_mask(rng, glyphs, rows, index, path, cap)
    dark = rng.random() * max(15, level - 85)
    canvas = paper * (1 - ink) + dark * ink
    if rng.random() < 0.08:
        canvas = scratches(rng, canvas)
    picture, width, low = sample(rng, canvas.astype(np.float32), cap, len(rows[index]))
    return np.asarray(camera(rng, picture, low).resize((width, HEIGHT), Image.BICUBIC)), path


def draw_hard_line(rng: random.Random, glyphs: Glyphs, rows, index, fonts):
    """As draw_line, with one to three of the hardships on four lines of five."""
    files, weights = zip(*fonts)
    path, cap = rng.choices(files, weights)[0], PITCH * (0.82 + rng.random() * 0.5)
    kinds = ("shapes", "print", "laminate", "bow", "streaks", "shake")
    hard = set(rng.sample(kinds, rng.randint(1, 3))) if rng.random() < 0.8 else set()
    paper, level = background(rng, len(rows[index]) * PITCH + 2 * MARGIN, CANVAS_HEIGHT)
    ink = ink_mask(rng, NationalGlyphs(rng, glyphs, files, cap) if "shapes" in hard else glyphs, rows, index, path, cap)
    if "print" in hard:
        ink = printed(rng, ink)
    dark = rng.random() * max(15, level - 85)
    canvas = paper * (1 - ink) + dark * ink
    if rng.random() < 0.08:
        canvas = scratches(rng, canvas)
    if "laminate" in hard:
        canvas = laminate(rng, canvas)
    bow = PITCH * (0.1 + rng.random() * 0.35) if "bow" in hard else 0.0
    picture, width, low = sample(rng, np.clip(canvas, 0, 255).astype(np.float32), cap, len(rows[index]), bow)
    if "streaks" in hard:
        picture = streaks(rng, picture)
    if "shake" in hard:
        picture = shaken(rng, picture, low)
    return np.asarray(camera(rng, picture, low).resize((width, HEIGHT), Image.BICUBIC)), path
