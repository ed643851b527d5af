"""Situations in which people photograph a document, each drawn on a canvas, and photographs of them."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from booklets import lay_booklet, lay_copies
from camera import camera
from drawing import between, chance, colour, picture, smooth, tint, to_image, vary
from grounds import SIZE
from poses import Pose, paste, shadow
from scenes import lay_card, lay_everyday, lay_ground, lay_objects, lay_sheet

#: Width and height of the network's images; wide frames are rotated, which gives one more view of the same object.
SHAPES = ((160, 256), (192, 256))


def pose_of(rng, canvas, low, high, aspect=1.5, cut=False):
    return Pose(rng, *canvas.size, aspect, between(rng, low, high), cut)


def on_ground(rng, canvas, pools, texture=None, papers=0.25):
    lay_ground(rng, canvas, pools.ground(rng) if texture is None else texture)
    if chance(rng, papers):
        lay_sheet(rng, canvas, pools)


def lay_page(rng, canvas, pools):
    """The data page fills most of the frame; the other page is cut by it."""
    on_ground(rng, canvas, pools)
    quads = [lay_booklet(rng, canvas, pools, pose_of(rng, canvas, 0.62, 1.0, 1.42))]
    lay_objects(rng, canvas, quads, 0.25)
    return quads


def lay_spread(rng, canvas, pools):
    """Both pages of the booklet in the frame."""
    on_ground(rng, canvas, pools)
    quads = [lay_booklet(rng, canvas, pools, pose_of(rng, canvas, 0.32, 0.62, 1.42))]
    lay_objects(rng, canvas, quads, 0.25)
    return quads


def lay_sheet_on(rng, canvas, pools, texture=None):
    """An uncut sheet of copies."""
    on_ground(rng, canvas, pools, texture)
    quads = lay_copies(rng, canvas, pools, pose_of(rng, canvas, 0.3, 0.95))
    lay_objects(rng, canvas, quads, 0.25)
    return quads


def lay_on_print(rng, canvas, pools):
    """A card or a cut copy on newspaper, a magazine or a crossword."""
    on_ground(rng, canvas, pools, pools.printed(rng))
    quads = [lay_card(rng, canvas, pools, pose_of(rng, canvas, 0.3, 0.9), chance(rng, 0.3))]
    lay_objects(rng, canvas, quads, 0.25)
    return quads


def lay_sheet_on_print(rng, canvas, pools):
    return lay_sheet_on(rng, canvas, pools, pools.printed(rng))


def lay_on_cloth(rng, canvas, pools):
    """A card on a pattern."""
    on_ground(rng, canvas, pools, pools.patterned(rng))
    quads = [lay_card(rng, canvas, pools, pose_of(rng, canvas, 0.3, 0.9), chance(rng, 0.3))]
    lay_objects(rng, canvas, quads, 0.2)
    return quads


def lay_limb(rng, canvas, start, end, thick, fill, blur):
    """A finger or an arm: rounder at its end, lighter along its middle."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    along = (end - start) / max(1e-6, np.hypot(*(end - start)))
    side = np.array((-along[1], along[0])) * thick / 2
    mask = Image.new("L", canvas.size, 0)
    draw = ImageDraw.Draw(mask)
    wide = between(rng, 1.0, 1.25)
    draw.polygon([tuple(p) for p in (start + side * wide, end + side * 0.9, end - side * 0.9, start - side * wide)], fill=255)
    r = thick * 0.45
    draw.ellipse((end[0] - r, end[1] - r, end[0] + r, end[1] + r), fill=255)
    x, y = np.arange(canvas.width)[None, :] - start[0], np.arange(canvas.height)[:, None] - start[1]
    across = np.clip(np.abs(x * -along[1] + y * along[0]) / (thick / 2), 0, 1)
    lit = np.array(fill, np.float32) * (1 - between(rng, 0.15, 0.5) * across[:, :, None] ** 2)
    lit = lit * (1 + 0.15 * smooth(rng, *canvas.size, 4))
    canvas.paste(to_image(lit), (0, 0), mask.filter(ImageFilter.GaussianBlur(blur)))


def skin_of(rng):
    level = between(rng, 70, 240)
    return tuple(int(level * share) for share in (1, between(rng, 0.66, 0.85), between(rng, 0.48, 0.75)))


def lay_held(rng, canvas, pools):
    """A card, a page or a copy in a hand, before something out of focus."""
    on_ground(rng, canvas, pools, papers=0.5)
    if chance(rng, 0.7):
        canvas.paste(canvas.filter(ImageFilter.GaussianBlur(between(rng, 1, 9) * canvas.width / 320)), (0, 0))
    is_booklet = chance(rng, 0.2)
    pose = pose_of(rng, canvas, 0.4, 0.9, 1.42 if is_booklet else 1.5)
    quad, skin, sharp = pose.card(1.5), skin_of(rng), between(rng, 0.3, 2.5) * canvas.width / 320
    side = int(rng.integers(4))
    long = np.hypot(*(quad[1] - quad[0]))
    grips = []
    for k in (side, (side + 2) % 4)[: 2 if chance(rng, 0.35) else 1]:
        t = between(rng, 0.15, 0.85)
        at = quad[k] * (1 - t) + quad[(k + 1) % 4] * t
        away = at - quad.mean(0)
        away = away / np.hypot(*away)
        grips.append((at, away))
    for at, away in grips:  # palm and fingers behind
        turn = np.array((-away[1], away[0]))
        lay_limb(rng, canvas, at + away * long * 2, at + away * between(rng, 0.0, 0.3) * long, between(rng, 0.3, 0.8) * long, skin, sharp)
        for k in range(int(rng.integers(0, 5))):
            root = at + away * 0.25 * long + turn * (k - 1.5) * 0.14 * long
            lay_limb(rng, canvas, root, root - away * between(rng, 0.2, 1.1) * long + turn * rng.normal(0, 0.15) * long, between(rng, 0.1, 0.15) * long, skin, sharp)
    corners = lay_booklet(rng, canvas, pools, pose) if is_booklet else lay_card(rng, canvas, pools, pose, True)
    for at, away in grips:  # the thumb before it
        turn = np.array((-away[1], away[0]))
        for k in range(int(rng.choice(3, p=(0.15, 0.65, 0.2)))):
            root = at + away * between(rng, 0.2, 0.5) * long + turn * (rng.normal(0, 0.1) + 0.17 * k) * long
            lay_limb(rng, canvas, root, at - away * between(rng, 0.0, 0.25) * long + turn * 0.17 * k * long, between(rng, 0.1, 0.16) * long, skin, sharp)
    return [corners]


def lay_pale(rng, canvas, pools):
    """A card on a table of nearly its own colour."""
    image, mask = pools.card(rng)
    edge = np.concatenate([np.asarray(image)[row].reshape(-1, 3) for row in (0, 1, -1, -2)])
    level = np.median(edge, 0) + rng.normal(0, 9, 3)
    depth, cells = between(rng, 0, 14), int(rng.integers(2, 90))
    texture = to_image(level.astype(np.float32) + depth * smooth(rng, SIZE, SIZE, cells, 1) + rng.normal(0, between(rng, 0, 4), (SIZE, SIZE, 1)))
    on_ground(rng, canvas, pools, texture, papers=0.1)
    pose = pose_of(rng, canvas, 0.3, 0.95)
    quad = pose.card(image.width / image.height)
    if chance(rng, 0.6):
        shadow(rng, canvas, quad, between(rng, 0.04, 0.25))
    paste(canvas, image, mask, quad, between(rng, 0.94, 1.06))
    lay_objects(rng, canvas, [quad], 0.2)
    return [quad]


def lay_at(low, high, cut=False):
    def lay(rng, canvas, pools):
        on_ground(rng, canvas, pools, papers=0.4)
        kind = rng.random()
        if kind < 0.2:
            quads = [lay_booklet(rng, canvas, pools, pose_of(rng, canvas, low, high, 1.42, cut))]
        elif kind < 0.35:
            quads = lay_copies(rng, canvas, pools, pose_of(rng, canvas, low, high, 1.5, cut))
        else:
            quads = [lay_card(rng, canvas, pools, pose_of(rng, canvas, low, high, 1.5, cut), chance(rng, 0.3))]
        lay_objects(rng, canvas, quads, 0.25)
        return quads

    return lay


def lay_device(rng, canvas, _pools):
    """A telephone, a notebook or a picture: as large as a card, and no card."""
    pose = pose_of(rng, canvas, 0.2, 0.7, between(rng, 1.2, 2.1))
    half = 0.5 / between(rng, 1.2, 2.1)
    image = Image.new("RGB", (300, int(600 * half)), tint(rng, between(rng, 5, 60), 10) if chance(rng, 0.6) else colour(rng))
    inner = picture(rng, 270, int(600 * half) - 24) if chance(rng, 0.6) else vary(rng, Image.new("RGB", (270, int(600 * half) - 24), colour(rng)), 20, 4)
    image.paste(inner, (15, 12))
    mask = Image.new("L", image.size, 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, image.width - 1, image.height - 1), radius=int(between(rng, 0, 30)), fill=255)
    quad = pose.at(((-0.5, -half), (0.5, -half), (0.5, half), (-0.5, half)))
    if chance(rng, 0.6):
        shadow(rng, canvas, quad, between(rng, 0.1, 0.5))
    paste(canvas, image, mask, quad)


def lay_cluttered(rng, canvas, pools):
    """A card among other rectangles."""
    on_ground(rng, canvas, pools)
    for _ in range(int(rng.integers(2, 5))):
        (lay_device if chance(rng, 0.6) else lay_sheet)(rng, canvas, pools)
    quads = [lay_card(rng, canvas, pools, pose_of(rng, canvas, 0.3, 0.75), chance(rng, 0.3))]
    lay_objects(rng, canvas, quads, 0.4)
    return quads


def lay_plain(rng, canvas, pools):
    """One card on one ground."""
    on_ground(rng, canvas, pools, papers=0)
    return [lay_card(rng, canvas, pools, pose_of(rng, canvas, 0.4, 0.9), False)]


def lay_nothing(rng, canvas, pools):
    """No document: papers, devices, hands."""
    on_ground(rng, canvas, pools, papers=0.6)
    for _ in range(int(rng.integers(0, 4))):
        (lay_device if chance(rng, 0.5) else lay_sheet)(rng, canvas, pools)
    lay_objects(rng, canvas, [], 0.5)
    return []


#: Name -> (draws it, its share of the scenes to learn from).
SITUATIONS = {
    "everyday": (lay_everyday, 34),
    "plain": (lay_plain, 2),
    "page": (lay_page, 8),
    "spread": (lay_spread, 8),
    "sheet": (lay_sheet_on, 8),
    "sheet-on-print": (lay_sheet_on_print, 5),
    "print": (lay_on_print, 5),
    "cloth": (lay_on_cloth, 4),
    "held": (lay_held, 8),
    "pale": (lay_pale, 6),
    "cluttered": (lay_cluttered, 5),
    "small": (lay_at(0.14, 0.3), 3),
    "fills": (lay_at(0.94, 1.12), 4),
    "cut": (lay_at(0.45, 0.95, True), 2),
    "nothing": (lay_nothing, 3),
}


def draw_situation(rng, pools, name, over, reduced):
    """(JPEG, quads as (n, 4, 2) of its pixels) of a situation: `over` px of the canvas for one of the network, `reduced` for one of the JPEG."""
    width, height = SHAPES[0 if chance(rng, 0.65) else 1]
    canvas = Image.new("RGB", (width * over, height * over))
    quads = SITUATIONS[name][0](rng, canvas, pools)
    return camera(rng, canvas.reduce(reduced)), np.array(quads, np.float32).reshape(-1, 4, 2) / reduced


def draw_scene(rng, pools):
    """A scene to learn from, at the network's size. n is 0 in one of twelve, 2 in one of twelve."""
    names, shares = list(SITUATIONS), np.array([share for _, share in SITUATIONS.values()], float)
    return draw_situation(rng, pools, names[rng.choice(len(names), p=shares / shares.sum())], 2, 2)
