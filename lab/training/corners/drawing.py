"""Shared by cards and grounds: smooth noise, words, portraits, images. All from a numpy Generator."""

import math

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

ROOT = "/usr/share/fonts/truetype/"
#: The faces of the test split are not among those of the training split.
TRAIN_FONTS = tuple(
    ROOT + name
    for name in (
        "liberation/LiberationSans-Regular.ttf",
        "liberation/LiberationSans-Bold.ttf",
        "liberation/LiberationSerif-Regular.ttf",
        "liberation/LiberationMono-Regular.ttf",
        "dejavu/DejaVuSans.ttf",
        "dejavu/DejaVuSerif.ttf",
    )
)
TEST_FONTS = tuple(
    ROOT + "freefont/" + name for name in ("FreeSans.ttf", "FreeSansBold.ttf", "FreeSerif.ttf", "FreeMono.ttf")
)
LETTERS = "abcdefghijklmnopqrstuvwxyzaeiouaeioustnr"
CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Fonts:
    """Opened faces by size."""

    def __init__(self, files):
        self.files, self.opened = files, {}

    def any(self, rng, size):
        key = (self.files[rng.integers(len(self.files))], max(4, int(size)))
        if key not in self.opened:
            self.opened[key] = ImageFont.truetype(*key)
        return self.opened[key]


def between(rng, low, high):
    return low + (high - low) * float(rng.random())


def chance(rng, share):
    return rng.random() < share


def words(rng, characters):
    """Invented words of about so many characters, some capitalised, some all in capitals."""
    text, capitals = "", chance(rng, 0.2)
    while len(text) < characters:
        letters = rng.integers(len(LETTERS), size=int(rng.integers(2, 11)))
        word = "".join(LETTERS[i] for i in letters)
        text += (word.upper() if capitals else word.capitalize() if chance(rng, 0.2) else word) + " "
    return text[:characters]


def colour(rng, low=0, high=255):
    return tuple(int(v) for v in rng.integers(low, high + 1, size=3))


def tint(rng, level, spread):
    """A colour near a grey."""
    return tuple(int(np.clip(level + between(rng, -spread, spread), 0, 255)) for _ in range(3))


def smooth(rng, width, height, cells, channels=1):
    """Smooth random field of -1 to 1: coarse noise, enlarged. (height, width, channels)"""
    rows = max(2, round(cells * height / width))
    planes = [
        np.asarray(
            Image.fromarray(rng.random((rows, max(2, cells)), np.float32) * 2 - 1).resize((width, height), Image.BICUBIC)
        )
        for _ in range(channels)
    ]
    return np.stack(planes, -1)


def to_image(values):
    return Image.fromarray(np.clip(values, 0, 255).astype(np.uint8))


def vary(rng, image, depth, cells):
    """Adds smooth unevenness to an image."""
    field = smooth(rng, *image.size, cells, 1 if chance(rng, 0.5) else 3)
    return to_image(np.asarray(image, np.float32) + depth * field)


def portrait(rng, width, height):
    """Head and shoulders of an invented person."""
    image = Image.new("RGB", (width, height), tint(rng, between(rng, 120, 250), 20))
    draw = ImageDraw.Draw(image)
    skin = np.array([between(rng, 90, 240)] * 3) * np.array([1, between(rng, 0.7, 0.9), between(rng, 0.55, 0.8)])
    hair, cloth = colour(rng, 0, 140), colour(rng, 0, 230)
    x, y, w, h = width * between(rng, 0.45, 0.55), height * between(rng, 0.38, 0.46), width * 0.22, height * 0.25
    draw.ellipse((x - w * 2, height * 0.72, x + w * 2, height * 1.4), fill=cloth)
    draw.ellipse((x - w * 1.3, y - h * 1.35, x + w * 1.3, y + h * between(rng, 0.5, 1.6)), fill=hair)
    draw.rectangle((x - w * 0.45, y + h * 0.5, x + w * 0.45, height * 0.8), fill=tuple(int(v * 0.9) for v in skin))
    draw.ellipse((x - w, y - h, x + w, y + h), fill=tuple(int(v) for v in skin))
    for side in (-1, 1):
        draw.ellipse((x + side * w * 0.45 - w * 0.16, y - h * 0.2, x + side * w * 0.45 + w * 0.16, y), fill=hair)
    draw.line((x - w * 0.35, y + h * 0.5, x + w * 0.35, y + h * 0.5), fill=tuple(int(v * 0.6) for v in skin), width=max(1, width // 40))
    draw.line((x, y, x - w * 0.1, y + h * 0.25), fill=tuple(int(v * 0.8) for v in skin), width=max(1, width // 50))
    return vary(rng, image, between(rng, 5, 30), 4)


def picture(rng, width, height):
    """Something photographed: fields of colour, shapes, sometimes a person."""
    if chance(rng, 0.3):
        return portrait(rng, width, height)
    base = np.array(colour(rng), np.float32) + between(rng, 20, 90) * smooth(rng, width, height, int(rng.integers(2, 7)), 3)
    image = to_image(base)
    draw = ImageDraw.Draw(image)
    for _ in range(int(rng.integers(1, 9))):
        x, y = rng.random() * width, rng.random() * height
        w, h = between(rng, 0.05, 0.4) * width, between(rng, 0.05, 0.4) * height
        shape = rng.integers(3)
        if shape == 0:
            draw.ellipse((x - w, y - h, x + w, y + h), fill=colour(rng))
        elif shape == 1:
            draw.rectangle((x, y, x + w, y + h), fill=colour(rng))
        else:
            draw.polygon([(x + between(rng, -w, w), y + between(rng, -h, h)) for _ in range(4)], fill=colour(rng))
    return vary(rng, image, between(rng, 10, 50), int(rng.integers(3, 20)))


def column(rng, draw, fonts, box, size, ink, pitch=1.25):
    """Lines of text from the top of a box to its bottom."""
    left, top, right, bottom = box
    font = fonts.any(rng, size)
    characters = max(3, int((right - left) / (size * 0.52)))
    y = top
    while y + size < bottom:
        last = chance(rng, 0.12)
        draw.text((left, y), words(rng, int(characters * (rng.random() if last else 1)) + 1), font=font, fill=ink)
        y += size * pitch * (1.6 if last and chance(rng, 0.3) else 1)


def grained(rng, image, depth):
    return to_image(np.asarray(image, np.float32) + rng.normal(0, depth, (image.height, image.width, 1)))


def region_of(size, polygon, blur=0.0):
    mask = Image.new("L", size, 0)
    ImageDraw.Draw(mask).polygon([tuple(p) for p in polygon], fill=255)
    return mask.filter(ImageFilter.GaussianBlur(blur)) if blur > 0 else mask


def half_plane(rng, size):
    """Corners of the area on one side of a line across the canvas."""
    w, h = size
    angle, far = between(rng, 0, 7), w + h
    x, y = between(rng, 0.1, 0.9) * w, between(rng, 0.1, 0.9) * h
    along, away = np.array((math.cos(angle), math.sin(angle))), np.array((-math.sin(angle), math.cos(angle)))
    p, q = np.array((x, y)) - along * far, np.array((x, y)) + along * far
    return [p, q, q + away * far, p + away * far]
