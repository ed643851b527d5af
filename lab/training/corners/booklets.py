"""Lays open passports and sheets of copies: what surrounds the card is paper like the card's own."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from cards import guilloche
from drawing import between, chance, colour, column, picture, region_of, tint, words
from poses import paste, shadow

#: Height of a data page whose width is 1 (125 x 88 mm, ICAO Doc 9303-4).
PAGE = 88 / 125


def rectangle(left, top, right, bottom):
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def even_paper(rng, low=200, spread=10):
    return Image.new("RGB", (32, 32), tint(rng, between(rng, low, 255), spread))


def lay_rectangle(canvas, pose, image, box, shade=1.0):
    paste(canvas, image, Image.new("L", image.size, 255), pose.at(rectangle(*box)), shade)


def other_page(rng, fonts, base):
    """The page opposite the data page: pale, of text, with stamps, or with a picture."""
    image = Image.new("RGB", (360, 253), base)
    draw, ink = ImageDraw.Draw(image), tint(rng, between(rng, 30, 110), 25)
    if chance(rng, 0.7):
        guilloche(rng, image)
    kind = rng.random()
    if kind < 0.4:
        for k in range(int(rng.integers(1, 4))):
            top = between(rng, 10, 200)
            column(rng, draw, fonts, (between(rng, 10, 60), top, between(rng, 200, 350), min(248, top + between(rng, 20, 150))), between(rng, 7, 13), ink)
    elif kind < 0.65:
        for _ in range(int(rng.integers(1, 5))):
            x, y, r, hue = between(rng, 20, 300), between(rng, 20, 200), between(rng, 15, 60), colour(rng, 20, 200)
            (draw.ellipse if chance(rng, 0.5) else draw.rectangle)((x, y, x + 1.4 * r, y + r), outline=hue, width=2)
            draw.text((x + 5, y + r / 2 - 5), words(rng, 9).upper(), font=fonts.any(rng, 9), fill=hue)
    elif kind < 0.8:
        image.paste(picture(rng, 360, 253).resize((300, 200)), (30, 26))
    return image


def spine_shade(rng, canvas, pose, y):
    """The fold: darker on one side or on both."""
    wide, depth = between(rng, 0.01, 0.07), between(rng, 0.15, 0.6)
    shift = between(rng, -0.7, 0.7) * wide
    mask = region_of(canvas.size, pose.at(rectangle(-0.52, y - wide + shift, 0.52, y + wide + shift)), between(rng, 1, 8))
    canvas.paste(Image.composite(canvas.point(lambda v: int(v * (1 - depth))), canvas, mask), (0, 0))


def lay_booklet(rng, canvas, pools, pose):
    """An open passport around its data page, which is the card. The spine is the upper side of the data page or the lower one."""
    half = PAGE / 2
    image, mask = pools.page(rng)
    inside = np.asarray(image)[::8, ::8].reshape(-1, 3).mean(0)
    base = tuple(int(v) for v in np.clip(inside + rng.normal(0, 12, 3), 0, 255)) if chance(rng, 0.6) else tint(rng, between(rng, 190, 250), 15)
    up = -1 if chance(rng, 0.85) else 1
    deep = PAGE * between(rng, 0.45, 1.03)  # the other page is foreshortened where it rises from the table
    rim = between(rng, 0.005, 0.035)
    lean = between(rng, -0.06, 0.06)
    spine, far = up * half, up * (half + deep)
    cover = [(-0.5 - rim, -up * (half + rim)), (0.5 + rim, -up * (half + rim)), (0.5 + rim, spine), (0.5 + rim + lean, far + up * rim), (-0.5 - rim - lean, far + up * rim), (-0.5 - rim, spine)]
    if chance(rng, 0.7):
        shadow(rng, canvas, pose.at(cover), between(rng, 0.1, 0.6))
    if chance(rng, 0.8):
        outline = region_of(canvas.size, pose.at(cover))
        canvas.paste(colour(rng, 10, 130) if chance(rng, 0.8) else tint(rng, 235, 15), (0, 0), outline)
    for k in range(int(rng.integers(0, 5)), 0, -1):  # the edges of the pages below
        out = k * between(rng, 0.002, 0.006)
        lay_rectangle(canvas, pose, even_paper(rng, 170), (-0.5 - out, -half - out, 0.5 + out, half + out))
    quad = pose.at(((-0.5, spine), (0.5, spine), (0.5 + lean, far), (-0.5 - lean, far)))
    page = other_page(rng, pools.fonts, base)
    paste(canvas, page, Image.new("L", page.size, 255), quad, between(rng, 0.75, 1.1))
    corners = pose.at(rectangle(-0.5, -half, 0.5, half))
    paste(canvas, image, mask, corners, between(rng, 0.85, 1.1))
    if chance(rng, 0.75):
        spine_shade(rng, canvas, pose, spine)
    return corners


def lay_copies(rng, canvas, pools, pose):
    """A sheet of paper with a printed card: the card's border is print, or nothing. Its corners; two where the sheet shows both sides."""
    image, _ = pools.copy(rng)
    half = 0.5 * image.height / image.width
    def margin():
        return between(rng, 0.01, 0.06) if chance(rng, 0.25) else between(rng, 0.06, 1.6)

    box = (-0.5 - margin(), -half - margin(), 0.5 + margin(), half + margin())
    quad = pose.at(rectangle(*box))
    if chance(rng, 0.6):
        shadow(rng, canvas, quad, between(rng, 0.1, 0.5))
    sheet = even_paper(rng, 215, 6)
    if chance(rng, 0.25):  # coloured paper
        sheet = Image.new("RGB", (32, 32), tint(rng, between(rng, 170, 240), 40))
    wide, high = box[2] - box[0], box[3] - box[1]
    sheet = sheet.resize((min(700, int(360 * wide)), min(700, int(360 * high))))
    if chance(rng, 0.35):  # print beside the card; the card covers the rest
        draw, size = ImageDraw.Draw(sheet), between(rng, 7, 12)
        column(rng, draw, pools.fonts, (20, 10, sheet.width - 20, sheet.height), size, tint(rng, 60, 20), between(rng, 1.3, 2))
        clear = 0.06 * 360
        scale = sheet.width / wide, sheet.height / high
        left, top = (-0.5 - box[0]) * scale[0] - clear, (-half - box[1]) * scale[1] - clear
        draw.rectangle((left, top, left + scale[0] + 2 * clear, top + 2 * half * scale[1] + 2 * clear), fill=sheet.getpixel((1, 1)))
    paste(canvas, sheet, Image.new("L", sheet.size, 255), quad)
    corners = [pose.at(rectangle(-0.5, -half, 0.5, half))]
    below = half + between(rng, 0.08, 0.3)
    if box[3] > below + 2 * half and chance(rng, 0.4):
        corners.append(pose.at(rectangle(-0.5, below, 0.5, below + 2 * half)))
    for place in corners:
        copy, outline = pools.copy(rng) if len(corners) > 1 else (image, Image.new("L", image.size, 255))
        if chance(rng, 0.3):
            outline = outline.filter(ImageFilter.GaussianBlur(3))
        paste(canvas, copy, Image.new("L", copy.size, 255) if len(corners) > 1 else outline, place)
    return corners
