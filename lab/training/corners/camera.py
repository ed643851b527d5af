"""Photographs a canvas: lamps, shadows, glare, exposure, blur, noise, compression."""

import io
import math

import numpy as np
from PIL import ImageFilter

from drawing import between, chance, half_plane, region_of, smooth, to_image


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
