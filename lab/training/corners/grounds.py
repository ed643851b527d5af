"""Draws the grounds of cards: SIZE x SIZE px of print, cloth, wood, stone, film, keys."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from drawing import between, chance, column, colour, grained, picture, smooth, tint, to_image, vary, words

SIZE = 720


def newsprint(rng, fonts):
    """Columns, headlines, images, boxes of advertisements."""
    page = Image.new("RGB", (SIZE, SIZE), tint(rng, between(rng, 190, 245), 14))
    draw, ink = ImageDraw.Draw(page), tint(rng, between(rng, 10, 70), 10)
    columns, y = int(rng.integers(2, 7)), between(rng, 0, 10)
    wide = SIZE / columns
    size = between(rng, 6, 13)
    while y < SIZE:
        deep = between(rng, 60, 260)
        if chance(rng, 0.5):
            large = between(rng, 16, 60)
            draw.text((6, y), words(rng, int(SIZE / large * 1.7)), font=fonts.any(rng, large), fill=ink if chance(rng, 0.7) else colour(rng))
            y += large * 1.3
        k = 0
        while k < columns:
            span = min(columns - k, int(rng.integers(1, 3)))
            box = (int(k * wide + 5), int(y), int((k + span) * wide - 5), int(y + deep))
            if chance(rng, 0.28):
                page.paste(picture(rng, box[2] - box[0], max(8, box[3] - box[1])), box[:2])
            else:
                if chance(rng, 0.2):
                    draw.rectangle(box, fill=tint(rng, between(rng, 120, 250), 60), outline=ink if chance(rng, 0.7) else None)
                for c in range(span):
                    column(rng, draw, fonts, (int((k + c) * wide + 7), box[1], int((k + c + 1) * wide - 7), box[3]), size, ink)
            k += span
        y += deep + between(rng, 4, 16)
    return page


def crossword(rng, fonts):
    page = newsprint(rng, fonts)
    draw, cell = ImageDraw.Draw(page), int(rng.integers(14, 34))
    count, x0, y0 = int(rng.integers(9, 20)), int(rng.integers(0, 350)), int(rng.integers(0, 350))
    for i in range(count):
        for k in range(count):
            box = (x0 + k * cell, y0 + i * cell, x0 + (k + 1) * cell, y0 + (i + 1) * cell)
            draw.rectangle(box, fill=(20, 20, 20) if chance(rng, 0.25) else (245, 245, 240), outline=(30, 30, 30))
    return page


def book(rng, fonts):
    """One block of text on paper."""
    page = Image.new("RGB", (SIZE, SIZE), tint(rng, between(rng, 170, 250), 15))
    left, top = between(rng, 0, 120), between(rng, 0, 80)
    column(rng, ImageDraw.Draw(page), fonts, (left, top, SIZE - between(rng, 0, 100), SIZE), between(rng, 8, 17), tint(rng, between(rng, 20, 80), 10), between(rng, 1.2, 1.8))
    return page


def magazine(rng, fonts):
    page = picture(rng, SIZE, SIZE)
    draw = ImageDraw.Draw(page)
    for _ in range(int(rng.integers(2, 7))):
        w, h = int(rng.integers(100, 400)), int(rng.integers(80, 300))
        x, y = int(rng.integers(0, SIZE - w)), int(rng.integers(0, SIZE - h))
        if chance(rng, 0.5):
            page.paste(picture(rng, w, h), (x, y))
        else:
            draw.rectangle((x, y, x + w, y + h), fill=tint(rng, between(rng, 150, 255), 30))
            column(rng, draw, fonts, (x + 6, y + 6, x + w - 6, y + h), between(rng, 7, 24), colour(rng, 0, 90))
    return page


def wood(rng, fonts):
    base = np.array((between(rng, 90, 220), between(rng, 60, 160), between(rng, 20, 110)), np.float32)
    rows = np.repeat(rng.normal(0, 1, (SIZE, 1)).astype(np.float32), SIZE, 1)
    shift = (20 * smooth(rng, SIZE, SIZE, 4)[:, :, 0]).astype(int)
    grain = rows[(np.arange(SIZE)[:, None] + shift) % SIZE, np.arange(SIZE)[None, :]]
    values = base + between(rng, 3, 18) * grain[:, :, None] + between(rng, 3, 20) * smooth(rng, SIZE, SIZE, 3)
    image = to_image(values).filter(ImageFilter.BoxBlur(1))
    if chance(rng, 0.4):
        draw, step = ImageDraw.Draw(image), int(rng.integers(80, 300))
        for y in range(step // 2, SIZE, step):
            draw.line((0, y, SIZE, y), fill=tint(rng, 40, 10), width=int(rng.integers(1, 5)))
    return image


def cloth(rng, fonts):
    base, depth, pitch = np.array(colour(rng, 20, 230), np.float32), between(rng, 5, 45), between(rng, 2, 7)
    x, y = np.arange(SIZE)[None, :] / pitch, np.arange(SIZE)[:, None] / pitch
    weave = np.sin(x * 3.1) * np.sin(y * 3.1) + 0.4 * rng.normal(0, 1, (SIZE, SIZE))
    folds = smooth(rng, SIZE, SIZE, int(rng.integers(2, 6)))
    return to_image(base + depth * weave[:, :, None] + between(rng, 5, 50) * folds)


def film(rng, fonts):
    """Crinkled plastic: bright ridges on a colour."""
    base = np.array(colour(rng, 20, 200), np.float32)
    ridges = sum((1 - np.abs(smooth(rng, SIZE, SIZE, cells))) ** 12 / cells**0.3 for cells in (5, 9, 17, 31))
    return to_image(base * (0.8 + 0.2 * smooth(rng, SIZE, SIZE, 4)) + between(rng, 30, 110) * ridges)


def stone(rng, fonts):
    base = np.array(tint(rng, between(rng, 50, 210), 40), np.float32)
    field = sum(smooth(rng, SIZE, SIZE, cells) * weight for cells, weight in ((6, 0.6), (20, 0.5), (60, 0.6), (180, 0.7)))
    return to_image(base + between(rng, 10, 45) * field)


def even(rng, fonts):
    base = np.array(tint(rng, between(rng, 15, 250), 30) if chance(rng, 0.5) else colour(rng), np.float32)
    return grained(rng, to_image(base + between(rng, 2, 30) * smooth(rng, SIZE, SIZE, 3)), between(rng, 0, 8))


def keys(rng, fonts):
    """A keyboard, or buttons of some machine."""
    page = Image.new("RGB", (SIZE, SIZE), tint(rng, between(rng, 10, 80), 10))
    draw, w, h = ImageDraw.Draw(page), int(rng.integers(36, 80)), int(rng.integers(34, 64))
    fill, ink, font = tint(rng, between(rng, 20, 235), 15), tint(rng, between(rng, 20, 235), 10), fonts.any(rng, 14)
    for row in range(SIZE // h + 1):
        for k in range(-1, SIZE // w + 1):
            x, y = k * w + (row % 3) * w // 3, row * h
            draw.rounded_rectangle((x + 3, y + 3, x + w - 3, y + h - 3), radius=5, fill=fill)
            draw.text((x + 9, y + 7), words(rng, 2), font=font, fill=ink)
    return vary(rng, page, 15, 4)


def tiles(rng, fonts):
    step, gap = int(rng.integers(30, 200)), int(rng.integers(1, 7))
    page = Image.new("RGB", (SIZE, SIZE), tint(rng, between(rng, 40, 220), 20))
    draw, base = ImageDraw.Draw(page), between(rng, 40, 230)
    for x in range(0, SIZE, step):
        for y in range(0, SIZE, step):
            draw.rectangle((x, y, x + step - gap, y + step - gap), fill=tint(rng, base, 18))
    return vary(rng, page, 15, 6)


def striped(rng, fonts):
    page = Image.new("RGB", (SIZE, SIZE), colour(rng, 20, 250))
    draw, x, hues = ImageDraw.Draw(page), 0, [colour(rng) for _ in range(int(rng.integers(1, 4)))]
    steps = [int(rng.integers(4, 60)) for _ in range(4)]
    for k in range(400):
        if k % 2 == 0:
            draw.rectangle((x, 0, x + steps[k % 4], SIZE), fill=hues[k // 2 % len(hues)])
        x += steps[k % 4]
    return grained(rng, vary(rng, page, 15, 4), between(rng, 1, 9))


def flowered(rng, fonts):
    """Dots, petals and rings in rows or strewn."""
    page = Image.new("RGB", (SIZE, SIZE), colour(rng, 20, 250))
    draw, step, r = ImageDraw.Draw(page), between(rng, 26, 90), between(rng, 4, 24)
    petals, hues, strewn = int(rng.integers(1, 7)), [colour(rng) for _ in range(3)], between(rng, 0, 12) if chance(rng, 0.5) else 0
    for row in range(int(SIZE / step) + 2):
        for k in range(int(SIZE / step) + 2):
            x, y = (k + row % 2 / 2) * step + rng.normal(0, 1) * strewn, row * step + rng.normal(0, 1) * strewn
            for p in range(petals):
                u, v = x + r * np.cos(6.28 * p / petals), y + r * np.sin(6.28 * p / petals)
                draw.ellipse((u - r * 0.6, v - r * 0.6, u + r * 0.6, v + r * 0.6), fill=hues[(row + k) % 3])
            draw.ellipse((x - r * 0.4, y - r * 0.4, x + r * 0.4, y + r * 0.4), fill=hues[2])
    return grained(rng, vary(rng, page, 15, 4), between(rng, 1, 9))


def carpet(rng, fonts):
    """A picture repeated and mirrored."""
    step = int(rng.integers(50, 220))
    cell = picture(rng, step, step)
    page = Image.new("RGB", (SIZE, SIZE))
    for x in range(0, SIZE, step):
        for y in range(0, SIZE, step):
            image = cell.transpose(Image.FLIP_LEFT_RIGHT) if x // step % 2 else cell
            page.paste(image.transpose(Image.FLIP_TOP_BOTTOM) if y // step % 2 else image, (x, y))
    return grained(rng, page, between(rng, 3, 15))


def checked(rng, fonts):
    """A table cloth of crossing bands: of the test split alone."""
    base, band = np.array(tint(rng, 220, 20), np.float32), np.array(colour(rng, 20, 200), np.float32)
    step = int(rng.integers(16, 70))
    across = (np.arange(SIZE) // step % 2)[None, :, None] * 0.5 + (np.arange(SIZE) // step % 2)[:, None, None] * 0.5
    return grained(rng, to_image(base * (1 - across) + band * across), between(rng, 2, 10))


def leaves(rng, fonts):
    """Grass and leaves: of the test split alone."""
    page = Image.new("RGB", (SIZE, SIZE), colour(rng, 20, 90))
    draw = ImageDraw.Draw(page)
    for _ in range(900):
        x, y, a, length = rng.random() * SIZE, rng.random() * SIZE, rng.random() * 7, between(rng, 10, 50)
        green = int(between(rng, 60, 220))
        draw.line((x, y, x + length * np.cos(a), y + length * np.sin(a)), fill=(green // 2, green, green // 3), width=int(rng.integers(1, 6)))
    return page


TRAIN_GROUNDS = (
    (newsprint, 18), (crossword, 6), (book, 8), (magazine, 9), (wood, 12), (cloth, 10), (film, 8),
    (stone, 8), (even, 18), (keys, 4), (tiles, 5), (striped, 3), (flowered, 3), (carpet, 3),
)
TEST_GROUNDS = ((newsprint, 20), (magazine, 10), (checked, 25), (leaves, 20), (wood, 10), (even, 15))
#: Grounds of which a situation asks for one.
PRINTED = (newsprint, crossword, book, magazine)
PATTERNED = (cloth, tiles, striped, flowered, carpet, checked, leaves)


def draw_ground(rng, fonts, grounds):
    """(what drew it, the ground)"""
    draws, weights = zip(*grounds)
    draw = draws[rng.choice(len(draws), p=np.array(weights) / sum(weights))]
    return draw, draw(rng, fonts)
