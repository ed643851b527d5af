"""Draws cards and data pages of no country, as a printer would: LONG px on the longer side, with their own outline."""

import math

import numpy as np
from PIL import Image, ImageDraw, ImageOps

from drawing import between, chance, colour, picture, portrait, smooth, tint, to_image, vary, words

LONG = 360
MRZ = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<<<<<<<<<<<<<<"


def guilloche(rng, image):
    draw = ImageDraw.Draw(image)
    hue, lines = colour(rng, 90, 230), int(rng.integers(6, 40))
    wave, rate, phase = between(rng, 2, 30), between(rng, 0.01, 0.08), between(rng, 0, 7)
    for k in range(lines):
        y = k * image.height / lines
        points = [(x, y + wave * math.sin(rate * x + phase + k * 0.2)) for x in range(0, image.width + 8, 8)]
        draw.line(points, fill=hue, width=1)


def paper(rng, width, height):
    """The card's ground: pale mostly, sometimes strong, with a slope and security print."""
    base = tint(rng, between(rng, 170, 252), 35) if chance(rng, 0.8) else colour(rng, 40, 240)
    slope = np.linspace(-1, 1, width, dtype=np.float32)[None, :, None] * rng.uniform(-25, 25, 3).astype(np.float32)
    image = to_image(np.array(base, np.float32) + slope + np.zeros((height, 1, 1), np.float32))
    if chance(rng, 0.6):
        guilloche(rng, image)
    if chance(rng, 0.5):
        image = vary(rng, image, between(rng, 5, 35), int(rng.integers(2, 8)))
    if chance(rng, 0.3):  # a large emblem under the print
        draw, r = ImageDraw.Draw(image), height * between(rng, 0.15, 0.4)
        x, y = between(rng, 0.3, 0.8) * width, between(rng, 0.4, 0.6) * height
        for k in range(int(rng.integers(1, 5))):
            draw.ellipse((x - r + 6 * k, y - r + 6 * k, x + r - 6 * k, y + r - 6 * k), outline=colour(rng, 120, 230), width=2)
    return image


def header(rng, draw, fonts, width, ink):
    """A title along the top, in a bar of its own or on the ground. Its lower end."""
    size = between(rng, 11, 19)
    deep = size * between(rng, 1.4, 2.6)
    if chance(rng, 0.5):
        draw.rectangle((0, 0, width, deep), fill=colour(rng))
    x = between(rng, 0.03, 0.3) * width
    draw.text((x, (deep - size) / 2), words(rng, int(rng.integers(8, 26))).upper(), font=fonts.any(rng, size), fill=ink if chance(rng, 0.6) else colour(rng))
    return deep


def fields(rng, draw, fonts, box, ink):
    """Labels with their values below."""
    left, top, right, bottom = box
    label, value = between(rng, 5, 8), between(rng, 9, 15)
    small, large, y = fonts.any(rng, label), fonts.any(rng, value), top
    grey = tint(rng, between(rng, 60, 150), 30)
    while y + label + value < bottom:
        columns = int(rng.integers(1, 4))
        for k in range(columns):
            x = left + (right - left) * k / columns
            draw.text((x, y), words(rng, int(rng.integers(4, 12))), font=small, fill=grey)
            room = max(2, int((right - left) / columns / value * 1.5))
            draw.text((x, y + label * 1.1), words(rng, int(rng.integers(2, room + 2))).upper(), font=large, fill=ink)
        y += (label + value) * between(rng, 1.15, 1.6)


def zone(rng, draw, fonts, width, height, rows, ink):
    """Draws an MRZ at the bottom. Returns its upper edge."""
    size = width / (30 if rows == 3 else 44) * between(rng, 1.35, 1.6)
    font = fonts.any(rng, size)
    pitch = size * between(rng, 1.15, 1.5)
    top = height - rows * pitch - between(rng, 4, 12)
    length = 30 if rows == 3 else 44
    step = (width * 0.94) / length
    for row in range(rows):
        for k in range(length):
            draw.text((width * 0.03 + k * step, top + row * pitch), MRZ[rng.integers(len(MRZ))], font=font, fill=ink)
    return top


def squiggle(rng, draw, box, ink):
    left, top, right, bottom = box
    points = [(left + (right - left) * k / 12, between(rng, top, bottom)) for k in range(13)]
    draw.line(points, fill=ink, width=1, joint="curve")


def chip(rng, draw, x, y, size):
    draw.rounded_rectangle((x, y, x + size, y + size * 0.8), radius=size * 0.15, fill=tint(rng, between(rng, 150, 210), 30))
    for k in range(1, 3):
        draw.line((x, y + size * 0.27 * k, x + size, y + size * 0.27 * k), fill=(90, 80, 60))
    draw.line((x + size / 2, y, x + size / 2, y + size * 0.8), fill=(90, 80, 60))


def symbol(rng, image, box):
    """A two-dimensional bar code."""
    left, top, right, bottom = (int(v) for v in box)
    cells = rng.integers(0, 2, (max(4, (bottom - top) // 3), max(8, (right - left) // 2)))
    image.paste(Image.fromarray((cells * 235).astype(np.uint8)).resize((right - left, bottom - top), Image.NEAREST), (left, top))


def front(rng, fonts, width, height, zone_share=0.35):
    image = paper(rng, width, height)
    draw, ink = ImageDraw.Draw(image), tint(rng, between(rng, 0, 70), 20)
    top = header(rng, draw, fonts, width, ink) + 4
    foot = zone(rng, draw, fonts, width, height, 2, ink) if chance(rng, zone_share) else height - between(rng, 4, 30)
    w = int(width * between(rng, 0.2, 0.33))
    h = int(min(w * between(rng, 1.2, 1.4), foot - top - 6))
    is_left = chance(rng, 0.65)
    x = int(between(rng, 0.02, 0.06) * width) if is_left else int(width * 0.96 - w)
    y = int(between(rng, top, max(top + 1, foot - h)))
    image.paste(portrait(rng, w, max(8, h)), (x, y))
    inner = (x + w + 10, top, width * 0.96, foot) if is_left else (width * 0.04, top, x - 8, foot)
    fields(rng, draw, fonts, inner, ink)
    if chance(rng, 0.4):  # a ghost portrait
        ghost = portrait(rng, max(8, w // 3), max(8, h // 3))
        image.paste(ghost, (int(inner[2] - w // 3 - 4), int(between(rng, top, max(top + 1, foot - h // 3)))))
    if chance(rng, 0.5):
        squiggle(rng, draw, (inner[0], foot - 26, inner[0] + width * 0.3, foot - 4), ink)
    if chance(rng, 0.3):
        chip(rng, draw, between(rng, 0.05, 0.7) * width, between(rng, 0.25, 0.45) * height, between(rng, 30, 46))
    return image


def back(rng, fonts, width, height):
    image = paper(rng, width, height)
    draw, ink = ImageDraw.Draw(image), tint(rng, between(rng, 0, 70), 20)
    foot = zone(rng, draw, fonts, width, height, 3, ink) if chance(rng, 0.7) else height - 8
    fields(rng, draw, fonts, (between(rng, 0.03, 0.3) * width, 6, width * 0.95, foot), ink)
    if chance(rng, 0.5):
        x, y = between(rng, 0.05, 0.5) * width, between(rng, 0.1, 0.5) * height
        symbol(rng, image, (x, y, x + between(rng, 40, 160), y + between(rng, 25, 60)))
    if chance(rng, 0.3):
        draw.rectangle((0, height * 0.12, width, height * 0.32), fill=tint(rng, 40, 20))
    return image


def middle(rng, fonts, width, height):
    """Portrait in the middle, fields on both sides: a layout of the test split alone."""
    image = paper(rng, width, height)
    draw, ink = ImageDraw.Draw(image), tint(rng, between(rng, 0, 70), 20)
    top, w = header(rng, draw, fonts, width, ink) + 4, int(width * 0.26)
    h = int(min(w * 1.3, height - top - 10))
    image.paste(portrait(rng, w, h), ((width - w) // 2, int(top)))
    fields(rng, draw, fonts, (8, top, (width - w) / 2 - 6, height - 8), ink)
    fields(rng, draw, fonts, ((width + w) / 2 + 6, top, width - 8, height - 8), ink)
    return image


def plain(rng, fonts, width, height):
    """A plain rectangle in the form of a card: the network shall learn the border."""
    if chance(rng, 0.5):
        return picture(rng, width, height)
    field = smooth(rng, width, height, int(rng.integers(2, 30)), 3)
    return to_image(np.array(colour(rng, 30, 235), np.float32) + between(rng, 5, 50) * field)


def as_copied(rng, image):
    """A grey copy, lighter and harder, sometimes on tinted paper."""
    grey = np.asarray(ImageOps.grayscale(image), np.float32)
    low, gain = between(rng, -40, 20), between(rng, 0.75, 1.35)
    values = np.clip((grey - 128) * gain + 140 + low, 10, between(rng, 225, 255))
    return to_image(values[:, :, None] * (np.array(tint(rng, 250, 5), np.float32) / 255))


TRAIN_LAYOUTS = ((front, 58), (back, 20), (plain, 6))
TEST_LAYOUTS = ((front, 30), (back, 15), (middle, 55))


def draw_page(rng, fonts):
    """A data page of a passport (TD3, ICAO Doc 9303-4), with square corners."""
    image = front(rng, fonts, LONG, round(LONG / 1.42), 0.9)
    image = as_copied(rng, image) if chance(rng, 0.25) else image
    return image, Image.new("L", image.size, 255)


def draw_card(rng, fonts, layouts):
    """(RGB image, its outline as a mask: some have round corners)."""
    draws, weights = zip(*layouts)
    draw = draws[rng.choice(len(draws), p=np.array(weights) / sum(weights))]
    aspect = (1.586, 1.42, 1.586, between(rng, 1.35, 1.72))[rng.integers(4)]
    width, height = LONG, round(LONG / aspect)
    image = draw(rng, fonts, width, height)
    is_copy = chance(rng, 0.4)
    if is_copy:
        image = as_copied(rng, image)
    round_share = between(rng, 0.02, 0.05) if chance(rng, 0.3 if is_copy else 0.75) else 0.0
    mask = Image.new("L", (width, height), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, width - 1, height - 1), radius=round_share * width, fill=255)
    return image, mask
