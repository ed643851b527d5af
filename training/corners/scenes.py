"""Lays cards on grounds and photographs them. Everything is drawn at twice the size of the network's image."""

import io
import math

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from cards import draw_card
from drawing import between, chance, colour, picture, portrait, smooth, tint, to_image
from grounds import SIZE, draw_ground

#: Width and height of the network's images; wide frames are rotated, which gives one more view of the same object.
SHAPES = ((160, 256), (192, 256))
OVER = 2


def homography(source, target):
    """Coefficients with which PIL looks up `source` for every place in `target`."""
    rows, right = [], []
    for (u, v), (x, y) in zip(source, target):
        rows.append((x, y, 1, 0, 0, 0, -u * x, -u * y))
        rows.append((0, 0, 0, x, y, 1, -v * x, -v * y))
        right += [u, v]
    return np.linalg.solve(np.array(rows, float), np.array(right, float))


def paste(canvas, image, mask, quad, shade=1.0):
    """Warps an image into a quadrilateral of the canvas."""
    xs, ys = [p[0] for p in quad], [p[1] for p in quad]
    left, top = max(0, math.floor(min(xs))), max(0, math.floor(min(ys)))
    right, bottom = min(canvas.width, math.ceil(max(xs)) + 1), min(canvas.height, math.ceil(max(ys)) + 1)
    if right <= left or bottom <= top:
        return
    longest = max(math.dist(quad[i], quad[(i + 1) % 4]) for i in range(4))
    factor = longest / max(image.size)
    if factor < 0.7:  # fine print would alias
        size = max(8, round(image.width * factor)), max(8, round(image.height * factor))
        image, mask = image.resize(size, Image.HAMMING), mask.resize(size, Image.HAMMING)
    w, h = image.size
    corners = ((0, 0), (w, 0), (w, h), (0, h))
    coefficients = homography(corners, [(x - left, y - top) for x, y in quad])
    size = (right - left, bottom - top)
    warped = image.transform(size, Image.PERSPECTIVE, coefficients, Image.BILINEAR)
    outline = mask.transform(size, Image.PERSPECTIVE, coefficients, Image.BILINEAR)
    if shade != 1:
        warped = warped.point(lambda v: min(255, int(v * shade)))
    canvas.paste(warped, (left, top), outline)


class Pose:
    """A plane before the camera: card units (its long side is 1) to pixels of the canvas."""

    def __init__(self, rng, width, height, aspect, share, cut):
        roll = math.radians(rng.normal(0, 12) + 90 * rng.integers(4)) if chance(rng, 0.65) else between(rng, 0, 7)
        tilt, axis = math.radians(min(34, abs(rng.normal(0, 14)))), between(rng, 0, 7)
        c, s = math.cos(roll), math.sin(roll)
        a, b, k, t = math.cos(axis), math.sin(axis), math.sin(tilt), 1 - math.cos(tilt)
        lean = np.array(((1 - t * b * b, t * a * b), (t * a * b, 1 - t * a * a), (-k * b, k * a)))
        self.turn = lean @ np.array(((c, -s), (s, c)))
        self.focal = max(width, height) * between(rng, 0.9, 1.8)
        self.stretch = between(rng, 0.92, 1.12)
        self.scale, self.centre = 1.0, np.zeros(2)
        card = self.card(aspect)
        low, high = card.min(0), card.max(0)
        self.scale = share * min(width / (high - low)[0], height / (high - low)[1])
        card = self.card(aspect)
        low, high = card.min(0), card.max(0)
        room = np.array((width, height)) - (high - low)
        place = np.array([between(rng, min(0, r), max(0, r)) for r in room]) - low
        if cut:
            side = rng.integers(2)
            out = between(rng, 0.03, 0.45) * (high - low)[side]
            place[side] = -low[side] - out if chance(rng, 0.5) else (width, height)[side] - high[side] + out
        self.centre = place

    def at(self, points):
        p = np.asarray(points, float) @ self.turn.T * self.scale
        flat = p[:, :2] / (1 + p[:, 2:] / self.focal)
        return flat * (self.stretch, 1) + self.centre

    def card(self, aspect):
        h = 0.5 / aspect
        return self.at(((-0.5, -h), (0.5, -h), (0.5, h), (-0.5, h)))


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


def shadow(rng, canvas, polygon, depth):
    blur, shift = between(rng, 1, 10), rng.normal(0, 5, 2)
    mask = region_of(canvas.size, [np.asarray(p) + shift for p in polygon], blur)
    canvas.paste(Image.composite(canvas.point(lambda v: int(v * (1 - depth))), canvas, mask), (0, 0))


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


def stripes(rng, width, height):
    """Shadow of a blind or a fence: 1 in the light."""
    angle, pitch, duty = between(rng, 0, 7), between(rng, 0.15, 0.7) * width, between(rng, 0.3, 0.7)
    x, y = np.arange(width)[None, :], np.arange(height)[:, None]
    phase = ((x * math.cos(angle) + y * math.sin(angle)) / pitch + rng.random()) % 1
    edge = between(rng, 0.01, 0.08)
    lit = np.clip((np.abs(phase - 0.5) - duty / 2) / edge + 0.5, 0, 1)
    return 1 - between(rng, 0.25, 0.7) * lit[:, :, None]


def gains(rng):
    """The lamp's colour."""
    kind = rng.random()
    spread = 0.1 if kind < 0.55 else 0.3 if kind < 0.8 else 0.6
    values = 1 - spread * rng.random(3)
    return (values / values.max()).astype(np.float32)


def light(rng, values):
    h, w, _ = values.shape
    values = values * gains(rng) * (1 + between(rng, 0, 0.5) * smooth(rng, w, h, 2))
    if chance(rng, 0.14):
        values = values * stripes(rng, w, h)
    if chance(rng, 0.2):
        shade = region_of((w, h), half_plane(rng, (w, h)), between(rng, 0.5, 12))
        values = values * (1 - between(rng, 0.2, 0.65) * np.asarray(shade, np.float32)[:, :, None] / 255)
    if chance(rng, 0.3):  # a lamp mirrored in the laminate, or a lit patch
        x, y, r = rng.random() * w, rng.random() * h, between(rng, 0.03, 0.35) * w
        spot = np.exp(-((np.arange(w)[None, :] - x) ** 2 + (np.arange(h)[:, None] - y) ** 2) / (2 * r * r))
        values = values + between(rng, 40, 330) * spot[:, :, None] * (1 - between(rng, 0, 0.6) * rng.random(3))
    return values


def camera(rng, image):
    """Light, exposure, blur, noise and compression at the network's size. JPEG bytes."""
    values = light(rng, np.asarray(image, np.float32))
    gain = between(rng, 1.1, 1.8) if chance(rng, 0.2) else between(rng, 0.5, 1.15)
    values = 255 * np.clip(values * gain / 255, 0, 1) ** between(rng, 0.65, 1.35)
    image = to_image(values)
    if chance(rng, 0.5):
        image = image.filter(ImageFilter.GaussianBlur(between(rng, 0.3, 1.5)))
    elif chance(rng, 0.15):  # shaken
        taps = ((range(10, 15)), (range(2, 25, 5)), (range(0, 25, 6)), (range(4, 21, 4)))[rng.integers(4)]
        image = image.filter(ImageFilter.Kernel((5, 5), [1 if k in taps else 0 for k in range(25)], 5))
    if chance(rng, 0.5):
        noise = rng.normal(0, between(rng, 1, 8), (image.height, image.width, 3))
        image = to_image(np.asarray(image, np.float32) + noise)
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=int(rng.integers(50, 96)))
    return stream.getvalue()


class Pools:
    """Grounds and cards of one shard: each is seen several times, from different positions."""

    def __init__(self, rng, fonts, layouts, grounds, cards_count=60, grounds_count=30):
        self.cards = [draw_card(rng, fonts, layouts) for _ in range(cards_count)]
        self.grounds = [draw_ground(rng, fonts, grounds) for _ in range(grounds_count)]

    def card(self, rng):
        return self.cards[rng.integers(len(self.cards))]

    def ground(self, rng):
        image = self.grounds[rng.integers(len(self.grounds))]
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


def draw_scene(rng, pools):
    """(JPEG, quads as (n, 4, 2) of the image's pixels). n is 0 in one scene of nine, 2 in one of ten."""
    width, height = SHAPES[0 if chance(rng, 0.65) else 1]
    canvas = Image.new("RGB", (width * OVER, height * OVER))
    if chance(rng, 0.03):  # a face
        canvas.paste(portrait(rng, *canvas.size), (0, 0))
        return camera(rng, canvas.reduce(OVER)), np.zeros((0, 4, 2), np.float32)
    lay_ground(rng, canvas, pools.ground(rng))
    for _ in range(int(rng.choice(4, p=(0.45, 0.3, 0.15, 0.1)))):
        if chance(rng, 0.4):
            lay_ground(rng, canvas, pools.ground(rng), region_of(canvas.size, half_plane(rng, canvas.size)))
        else:
            lay_sheet(rng, canvas, pools)
    quads = [] if chance(rng, 0.09) else lay_cards(rng, canvas, pools)
    if chance(rng, 0.35):
        for _ in range(int(rng.integers(1, 4))):
            towards = near(rng, quads[0]) if quads and chance(rng, 0.6) else rng.random(2) * canvas.size
            lay_object(rng, canvas, towards)
    return camera(rng, canvas.reduce(OVER)), np.array(quads, np.float32).reshape(-1, 4, 2) / OVER
