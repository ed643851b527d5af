"""Draws one line of a document as the reader will crop it: 32 px high, the ink in the middle third or
more, neighbouring lines reaching in, and with all that a phone, a lamp and years in a pocket do to it."""

import io
import math
import random

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

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


def field(rng, width, height, cells):
    """Smooth random field 0..1: coarse noise, enlarged."""
    coarse = np.array([rng.random() for _ in range(cells * 3)], np.float32).reshape(3, cells)
    return np.asarray(Image.fromarray(coarse, "F").resize((width, height), Image.BICUBIC))


def background(rng, width):
    """Paper with guilloche waves and blots, grey 0..255."""
    level = 130 + rng.random() * 125
    image = Image.new("L", (width, CANVAS_HEIGHT), round(level))
    draw = ImageDraw.Draw(image)
    if rng.random() < 0.7:
        for _ in range(rng.randint(2, 16)):
            shade = level + (rng.random() - 0.6) * 110
            y, height = rng.random() * CANVAS_HEIGHT, rng.random() * 30
            rate, phase, slope = 0.004 + rng.random() * 0.06, rng.random() * 7, (rng.random() - 0.5) * 0.5
            points = [
                (x, y + slope * (x - width / 2) + height * math.sin(rate * x + phase)) for x in range(0, width + 8, 8)
            ]
            draw.line(points, fill=round(min(255, max(0, shade))), width=rng.choice((1, 1, 2, 3)))
        for _ in range(rng.randint(0, 4)):
            x, y, w, h = rng.random() * width, rng.random() * CANVAS_HEIGHT, 20 + rng.random() * 200, 8 + rng.random() * 60
            shade = level + (rng.random() - 0.5) * 70
            draw.ellipse((x - w, y - h, x + w, y + h), fill=round(min(255, max(0, shade))))
    if rng.random() < 0.6:
        image = image.filter(ImageFilter.BoxBlur(rng.choice((1, 2))))
    return np.asarray(image, np.float32), level


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
    ink = np.asarray(image, np.float32) / 255
    if rng.random() < 0.3:  # weak ribbon, worn laminate: ink fades in patches
        depth = 0.2 + 0.6 * rng.random()
        ink = ink * (1 - depth * field(rng, width, CANVAS_HEIGHT, rng.choice((4, 20, 60))))
    if rng.random() < 0.2:  # grain eats into the strokes
        grain = np.random.default_rng(rng.getrandbits(32)).random(ink.shape, np.float32)
        ink = ink * (grain > rng.random() * 0.35)
    return ink


def scratches(rng, canvas):
    """Thin bright or dark lines across the print."""
    image = Image.fromarray(np.clip(canvas, 0, 255).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    for _ in range(rng.randint(1, 6)):
        x, y = rng.random() * image.width, rng.random() * image.height
        draw.line((x, y, x + (rng.random() - 0.5) * 300, y + (rng.random() - 0.5) * 120), fill=rng.choice((30, 220, 255)), width=1)
    return np.asarray(image, np.float32)


def sample(rng, canvas, cap, length):
    """Cuts the line out along a slightly wrong axis and at the resolution of the camera."""
    band = cap * (1.2 + rng.random() * 0.85)  # the reader takes the ink rows and 30 % on each side
    scale = HEIGHT / band
    left, right = (4 + rng.random() * 30 - (6 if rng.random() < 0.1 else 0) for _ in range(2))
    span = length * PITCH + left + right
    width = round(span * scale * (0.86 + rng.random() * 0.28))
    low = 0.27 + rng.random() * 0.6 if rng.random() < 0.6 else 1
    w, h = max(40, round(width * low)), max(9, round(HEIGHT * low))
    step = max(1.0, band / h)
    small = Image.fromarray(canvas).resize(
        (round(canvas.shape[1] / step), round(canvas.shape[0] / step)), Image.BOX if step < 1.5 else Image.HAMMING
    )
    source = np.asarray(small)
    kx, ky = source.shape[1] / canvas.shape[1], source.shape[0] / canvas.shape[0]
    f = (np.arange(w, dtype=np.float32) + 0.5) / w
    v = ((np.arange(h, dtype=np.float32) + 0.5) / h - 0.5)[:, None] * band
    bend, tilt, curve = (rng.random() - 0.5) * 0.16, (rng.random() - 0.5) * 0.02, (rng.random() - 0.5) * 8
    along = f + bend * f * (1 - f)
    x = MARGIN - left + along[None, :] * span + (rng.random() - 0.5) * 0.34 * v
    taper = 1 + (rng.random() - 0.5) * 0.12 * (f[None, :] - 0.5)
    y = CANVAS_HEIGHT / 2 + (rng.random() - 0.5) * band * 0.18 + v * taper
    y = y + tilt * (x - canvas.shape[1] / 2) + curve * (4 * f * (1 - f) - 0.5)[None, :]
    return bilinear(source, x * kx - 0.5, y * ky - 0.5), width, low


def bilinear(source, x, y):
    x = np.clip(x, 0, source.shape[1] - 1.01)
    y = np.clip(y, 0, source.shape[0] - 1.01)
    x0, y0 = x.astype(np.int32), y.astype(np.int32)
    fx, fy = x - x0, y - y0
    i = y0 * source.shape[1] + x0
    flat, row = source.ravel(), source.shape[1]
    top = flat[i] * (1 - fx) + flat[i + 1] * fx
    return top * (1 - fy) + (flat[i + row] * (1 - fx) + flat[i + row + 1] * fx) * fy


def motion(rng, picture, low):
    """Straight shake of up to half a character, mostly along the line."""
    length = 1 + rng.random() * 7 * low
    angle = rng.gauss(0, 0.5)
    taps = max(2, round(length * 1.5))
    h, w = picture.shape
    padded = np.pad(picture, 8, mode="edge")
    total = np.zeros_like(picture)
    for k in range(taps):
        d = (k / (taps - 1) - 0.5) * length
        dx, dy = round(8 + d * math.cos(angle)), round(8 + d * math.sin(angle))
        total += padded[dy : dy + h, dx : dx + w]
    return total / taps


def glare(rng, picture):
    h, w = picture.shape
    x, y = np.arange(w)[None, :] / w - rng.random(), (np.arange(h)[:, None] - rng.random() * h) / w
    spread = 0.02 + rng.random() * 0.12
    spot = np.exp(-(x**2 + y**2) / (2 * spread**2)) * (0.3 + rng.random() * 0.62)
    return picture + (255 - picture) * spot


def camera(rng, picture, low):
    """Light, gamma, blur, noise and compression at the resolution of the camera."""
    h, w = picture.shape
    picture = picture * (1 - rng.random() * 0.5 * np.abs(np.arange(w) / w - rng.random())[None, :])
    if rng.random() < 0.12:
        picture = glare(rng, picture)
    picture = 255 * np.clip(picture / 255, 0, 1) ** (0.6 + rng.random() * 0.9)
    if rng.random() < 0.18:
        picture = motion(rng, picture, low)
    picture = picture + np.random.default_rng(rng.getrandbits(32)).standard_normal((h, w), np.float32) * rng.random() ** 2 * 22
    image = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))
    if rng.random() < 0.65:
        image = image.filter(ImageFilter.GaussianBlur((0.35 + rng.random() ** 2 * 1.4) * (0.5 + 0.5 * low)))
    if rng.random() < 0.5:
        stream = io.BytesIO()
        image.save(stream, "JPEG", quality=rng.randint(22, 88))
        image = Image.open(stream).convert("L")
    return image


def draw_line(rng: random.Random, glyphs: Glyphs, rows, index, fonts):
    """Grey picture (32 x W, uint8) of rows[index], with the other rows above and below it."""
    files, weights = zip(*fonts)
    path, cap = rng.choices(files, weights)[0], PITCH * (0.9 + rng.random() * 0.32)
    paper, level = background(rng, len(rows[index]) * PITCH + 2 * MARGIN)
    ink = ink_mask(rng, glyphs, rows, index, path, cap)
    dark = rng.random() * max(15, level - 85)
    canvas = paper * (1 - ink) + dark * ink
    if rng.random() < 0.08:
        canvas = scratches(rng, canvas)
    picture, width, low = sample(rng, canvas.astype(np.float32), cap, len(rows[index]))
    return np.asarray(camera(rng, picture, low).resize((width, HEIGHT), Image.BICUBIC)), path
