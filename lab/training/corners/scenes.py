"""Lays cards, papers and objects on grounds."""

import math

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from cards import as_copied, draw_card, draw_page, plain
from drawing import between, chance, colour, half_plane, picture, portrait, region_of, smooth, tint, to_image
from grounds import PATTERNED, PRINTED, SIZE, draw_ground
from poses import Pose, homography, paste, shadow


def lay_ground(rng, canvas, texture, region=None):
    """A piece of a texture, rotated and tilted, over the canvas or a region of it."""
    w, h = canvas.size
    half = np.array((w, h)) / 2
    zoom = between(rng, 0.55, 1.0) * SIZE / math.hypot(w, h) * 1.15
    angle = between(rng, 0, 7) if chance(rng, 0.5) else rng.integers(4) * math.pi / 2 + rng.normal(0, 0.1)
    turn = np.array(((math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))))
    corners = []
    for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        corner = turn @ (half * (sx, sy)) * zoom * between(rng, 0.75, 1.0) + SIZE / 2
        corners.append(np.clip(corner, 0, SIZE - 1))
    coefficients = homography(corners, ((0, 0), (w, 0), (w, h), (0, h)))
    canvas.paste(texture.transform((w, h), Image.PERSPECTIVE, coefficients, Image.BILINEAR), (0, 0), region)


def lay_sheet(rng, canvas, pools):
    """A paper, a book or an image beside the card: of any shape, never labelled."""
    w, h = canvas.size
    pose = Pose(rng, w, h, 1, between(rng, 0.3, 1.6), chance(rng, 0.6))
    a, b = between(rng, 0.2, 0.5), between(rng, 0.2, 0.5)
    quad = pose.at(((-a, -b), (a, -b), (a, b), (-a, b)))
    if chance(rng, 0.6):
        shadow(rng, canvas, quad, between(rng, 0.1, 0.5))
    kind = rng.random()
    if kind < 0.4:
        image = Image.new("RGB", (64, 64), tint(rng, between(rng, 200, 255), 8))
    elif kind < 0.8:
        image = pools.ground(rng).crop((60, 60, 660, 660))
    else:
        image = picture(rng, 240, 240)
    paste(canvas, image, Image.new("L", image.size, 255), quad)


def lay_uncut(rng, canvas, pose, aspect):
    """The uncut sheet around a copy: at the card's border on some sides, far from it on others."""
    def margin():
        return between(rng, 0, 0.03) if chance(rng, 0.35) else between(rng, 0.05, 2.2)

    left, top, right, bottom = -0.5 - margin(), -0.5 / aspect - margin(), 0.5 + margin(), 0.5 / aspect + margin()
    quad = pose.at(((left, top), (right, top), (right, bottom), (left, bottom)))
    if chance(rng, 0.5):
        shadow(rng, canvas, quad, between(rng, 0.1, 0.4))
    sheet = Image.new("RGB", (64, 64), tint(rng, between(rng, 215, 255), 6))
    paste(canvas, sheet, Image.new("L", (64, 64), 255), quad)


def lay_card(rng, canvas, pools, pose, is_flat):
    """A card with its shadow and its edge. Its corners on the canvas."""
    image, mask = pools.card(rng)
    quad = pose.card(image.width / image.height)
    if not is_flat and chance(rng, 0.6):
        shadow(rng, canvas, quad, between(rng, 0.1, 0.6))
    if chance(rng, 0.25):  # a bright or dark rim, as laminate has
        image = image.copy()
        ImageDraw.Draw(image).rectangle((0, 0, image.width - 1, image.height - 1), outline=tint(rng, 250 if chance(rng, 0.7) else 40, 5), width=int(rng.integers(1, 6)))
    paste(canvas, image, mask, quad, between(rng, 0.75, 1.15))
    return quad


def lay_object(rng, canvas, towards):
    """A finger, a pen, a lump of something, often out of focus, often over the card's border."""
    w, h = canvas.size
    layer, mask = Image.new("RGB", (w, h)), Image.new("L", (w, h), 0)
    end = np.asarray(towards) + rng.normal(0, 12, 2)
    angle, long = between(rng, 0, 7), between(rng, 0.15, 0.9) * w
    start = end + long * np.array((math.cos(angle), math.sin(angle)))
    skin = np.array([between(rng, 90, 240)] * 3) * np.array([1, between(rng, 0.68, 0.88), between(rng, 0.5, 0.78)])
    is_finger = chance(rng, 0.5)
    fill = tuple(int(v) for v in skin) if is_finger else colour(rng)
    thick = int(between(rng, 0.06, 0.16) * w) if is_finger else int(between(rng, 0.03, 0.25) * w)
    draw, outline = ImageDraw.Draw(layer), ImageDraw.Draw(mask)
    for target, value in ((draw, fill), (outline, 255)):
        target.line([tuple(start), tuple(end)], fill=value, width=thick)
        for x, y in (start, end):
            target.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), fill=value)
    if is_finger and chance(rng, 0.6):  # the nail
        n = end + 0.12 * (start - end) / max(1, long) * thick
        draw.ellipse((n[0] - thick / 4, n[1] - thick / 4, n[0] + thick / 4, n[1] + thick / 4), fill=tuple(int(min(255, v * 1.12)) for v in skin))
    lit = np.asarray(layer, np.float32) * (1 + 0.25 * smooth(rng, w, h, 3))
    blur = between(rng, 0, 10) if chance(rng, 0.35) else between(rng, 0, 1.5)
    canvas.paste(to_image(lit), (0, 0), mask.filter(ImageFilter.GaussianBlur(blur)))


class Pools:
    """Grounds and cards of one shard: each is seen several times, from different positions."""

    def __init__(self, rng, fonts, layouts, grounds, cards_count=60, grounds_count=30):
        self.fonts = fonts
        self.pages = [draw_page(rng, fonts) for _ in range(cards_count // 4)]
        self.cards = [draw_card(rng, fonts, layouts) for _ in range(cards_count)]
        documents = [(draw, share) for draw, share in layouts if draw is not plain]
        self.copies = [draw_card(rng, fonts, documents) for _ in range(cards_count // 4)]
        self.grounds = [draw_ground(rng, fonts, grounds) for _ in range(grounds_count)]

    def card(self, rng):
        return self.cards[rng.integers(len(self.cards))]

    def page(self, rng):
        return self.pages[rng.integers(len(self.pages))]

    def copy(self, rng):
        """A card as a copying machine prints it."""
        image, mask = self.copies[rng.integers(len(self.copies))]
        return as_copied(rng, image) if chance(rng, 0.8) else image, mask

    def printed(self, rng):
        return self.ground(rng, PRINTED)

    def patterned(self, rng):
        return self.ground(rng, PATTERNED)

    def ground(self, rng, of=None):
        images = [image for draw, image in self.grounds if of is None or draw in of] or [image for _, image in self.grounds]
        image = images[rng.integers(len(images))]
        if chance(rng, 0.45):  # the same from farther off
            half = image.resize((SIZE // 2, SIZE // 2), Image.BOX)
            image = image.copy()
            for i in range(4):
                image.paste(half if i in (0, 3) else half.transpose(Image.FLIP_LEFT_RIGHT), (i % 2 * SIZE // 2, i // 2 * SIZE // 2))
        return image


def share_of(rng):
    """Share of the frame that the card covers, of the largest that fits."""
    kind = rng.random()
    if kind < 0.1:
        return between(rng, 0.16, 0.35)
    return between(rng, 0.9, 1.1) if kind > 0.92 else between(rng, 0.4, 0.98)


def apart(quads, quad):
    low, high = quad.min(0), quad.max(0)
    return all((q.max(0) < low).any() or (q.min(0) > high).any() for q in quads)


def near(rng, quad):
    """A place on the border of a quadrilateral."""
    i, t = int(rng.integers(4)), rng.random()
    return quad[i] * (1 - t) + quad[(i + 1) % 4] * t


def lay_cards(rng, canvas, pools):
    w, h = canvas.size
    pose = Pose(rng, w, h, 1.5, share_of(rng), chance(rng, 0.13))
    is_flat = chance(rng, 0.2)
    if is_flat:
        lay_uncut(rng, canvas, pose, 1.5)
    quads = [lay_card(rng, canvas, pools, pose, is_flat)]
    if chance(rng, 0.12):
        second = Pose(rng, w, h, 1.5, between(rng, 0.25, 0.6), False)
        if apart(quads, second.card(1.35)):
            quads.append(lay_card(rng, canvas, pools, second, False))
    return quads


def lay_everyday(rng, canvas, pools):
    """A ground with papers, none, one or two cards, and objects. The corners of its cards."""
    if chance(rng, 0.03):  # a face
        canvas.paste(portrait(rng, *canvas.size), (0, 0))
        return []
    lay_ground(rng, canvas, pools.ground(rng))
    for _ in range(int(rng.choice(4, p=(0.45, 0.3, 0.15, 0.1)))):
        if chance(rng, 0.4):
            lay_ground(rng, canvas, pools.ground(rng), region_of(canvas.size, half_plane(rng, canvas.size)))
        else:
            lay_sheet(rng, canvas, pools)
    quads = [] if chance(rng, 0.09) else lay_cards(rng, canvas, pools)
    lay_objects(rng, canvas, quads, 0.35)
    return quads


def lay_objects(rng, canvas, quads, share):
    if chance(rng, share):
        for _ in range(int(rng.integers(1, 4))):
            towards = near(rng, quads[0]) if len(quads) > 0 and chance(rng, 0.6) else rng.random(2) * canvas.size
            lay_object(rng, canvas, towards)
