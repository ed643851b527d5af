"""Degradation of a printed line by phone, lamp and wear; and the paper below it."""

import io
import math

import numpy as np
from PIL import Image, ImageDraw, ImageFilter


def field(rng, width, height, cells):
    """Smooth random field 0..1: coarse noise, enlarged."""
    coarse = np.array([rng.random() for _ in range(cells * 3)], np.float32).reshape(3, cells)
    return np.asarray(Image.fromarray(coarse, "F").resize((width, height), Image.BICUBIC))


def background(rng, width, canvas_height):
    """Paper with guilloche waves and blots, grey 0..255."""
    level = 130 + rng.random() * 125
    image = Image.new("L", (width, canvas_height), round(level))
    draw = ImageDraw.Draw(image)
    if rng.random() < 0.7:
        for _ in range(rng.randint(2, 16)):
            shade = level + (rng.random() - 0.6) * 110
            y, height = rng.random() * canvas_height, rng.random() * 30
            rate, phase, slope = 0.004 + rng.random() * 0.06, rng.random() * 7, (rng.random() - 0.5) * 0.5
            points = [
                (x, y + slope * (x - width / 2) + height * math.sin(rate * x + phase)) for x in range(0, width + 8, 8)
            ]
            draw.line(points, fill=round(min(255, max(0, shade))), width=rng.choice((1, 1, 2, 3)))
        for _ in range(rng.randint(0, 4)):
            x, y, w, h = rng.random() * width, rng.random() * canvas_height, 20 + rng.random() * 200, 8 + rng.random() * 60
            shade = level + (rng.random() - 0.5) * 70
            draw.ellipse((x - w, y - h, x + w, y + h), fill=round(min(255, max(0, shade))))
    if rng.random() < 0.6:
        image = image.filter(ImageFilter.BoxBlur(rng.choice((1, 2))))
    return np.asarray(image, np.float32), level


def wear(rng, ink):
    """Weak ribbon, worn laminate: ink fades in patches; grain eats into the strokes."""
    height, width = ink.shape
    if rng.random() < 0.3:
        depth = 0.2 + 0.6 * rng.random()
        ink = ink * (1 - depth * field(rng, width, height, rng.choice((4, 20, 60))))
    if rng.random() < 0.2:
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


def shrink(canvas, step):
    """The canvas at 1 / step of its size, antialiased; and the factor of its coordinates."""
    small = Image.fromarray(canvas).resize(
        (round(canvas.shape[1] / step), round(canvas.shape[0] / step)), Image.BOX if step < 1.5 else Image.HAMMING
    )
    source = np.asarray(small)
    return source, source.shape[1] / canvas.shape[1], source.shape[0] / canvas.shape[0]


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
