"""A plane before the camera, and pieces of it on the canvas."""

import math

import numpy as np
from PIL import Image

from drawing import between, chance, region_of


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


def shadow(rng, canvas, polygon, depth):
    blur, shift = between(rng, 1, 10), rng.normal(0, 5, 2)
    mask = region_of(canvas.size, [np.asarray(p) + shift for p in polygon], blur)
    canvas.paste(Image.composite(canvas.point(lambda v: int(v * (1 - depth))), canvas, mask), (0, 0))
