"""Reads the shards of generate.py and makes batches: images, and the target maps of the network."""

import io

import numpy as np
import torch
from PIL import Image

CELL = 4  # px of the image for one cell of the maps
BORDER_PX = 2.5


def read_shard(path):
    """[(JPEG, quads)]"""
    with np.load(path) as shard:
        data, ends, counts, quads = shard["bytes"].tobytes(), shard["ends"], shard["counts"], shard["quads"]
    starts, firsts = np.concatenate([[0], ends[:-1]]), np.cumsum(counts) - counts
    return [
        (data[start:end], quads[first : first + count])
        for start, end, first, count in zip(starts, ends, firsts, counts)
    ]


def width_of(picture):
    return Image.open(io.BytesIO(picture)).width


def decode(picture):
    return Image.open(io.BytesIO(picture)).convert("RGB")


def maps_of(quads, width, height):
    """(2, height / 4, width / 4): inside of a card, and nearness of its border; each 0..1."""
    x = (np.arange(width // CELL, dtype=np.float32)[None, :] + 0.5) * CELL
    y = (np.arange(height // CELL, dtype=np.float32)[:, None] + 0.5) * CELL
    maps = np.zeros((2, height // CELL, width // CELL), np.float32)
    for quad in quads:
        inside, away = np.full_like(x * y, np.inf), np.full_like(x * y, np.inf)
        turn = np.sign(np.cross(quad[1] - quad[0], quad[2] - quad[1]))
        for k in range(4):
            p, q = quad[k], quad[(k + 1) % 4]
            dx, dy = q - p
            length = np.hypot(dx, dy) + 1e-6
            inside = np.minimum(inside, turn * (dx * (y - p[1]) - dy * (x - p[0])) / length)
            along = np.clip(((x - p[0]) * dx + (y - p[1]) * dy) / length**2, 0, 1)
            away = np.minimum(away, (x - p[0] - along * dx) ** 2 + (y - p[1] - along * dy) ** 2)
        found = np.clip(inside / CELL + 0.5, 0, 1), np.exp(-away / (2 * BORDER_PX**2))
        maps = np.maximum(maps, np.stack(found))
    return maps


def mirrored(picture, quads, across, down):
    height, width, _ = picture.shape
    quads = quads.copy()
    if across:
        picture, quads[:, :, 0] = picture[:, ::-1], width - quads[:, :, 0]
    if down:
        picture, quads[:, :, 1] = picture[::-1], height - quads[:, :, 1]
    return picture, quads


def corners_inside(quads, low, high):
    return ((quads >= low) & (quads <= high)).all(2).sum(1)


def nearer(rng, picture, quads):
    """A part of the image, enlarged; the image itself where the part would cut off more than one corner of a card."""
    size = np.array(picture.size, np.float32)
    share = 0.65 + 0.35 * rng.random()
    low = rng.random(2) * size * (1 - share)
    high = low + share * size
    if (corners_inside(quads, low, high) < np.minimum(3, corners_inside(quads, 0, size))).any():
        return picture, quads
    part = picture.resize(picture.size, Image.BILINEAR, box=(*low, *high))
    return part, ((quads - low) / share).astype(np.float32)


def another_view(rng, picture, quads):
    """A scene as no run has seen it: nearer, in other colours, mirrored."""
    if rng.random() < 0.5:
        picture, quads = nearer(rng, picture, quads)
    values = np.asarray(picture)
    if rng.random() < 0.3:
        values = values[:, :, rng.permutation(3)]
    return mirrored(values, quads, rng.random() < 0.5, rng.random() < 0.5)


def batch(scenes, rng=None):
    """Images (-1..1) and maps as tensors; each scene in another view where a generator is given."""
    pictures, maps = [], []
    for jpeg, quads in scenes:
        picture = decode(jpeg)
        values, quads = (np.asarray(picture), quads) if rng is None else another_view(rng, picture, quads)
        pictures.append(values)
        maps.append(maps_of(quads, values.shape[1], values.shape[0]))
    # Channels last: the images' order in memory.
    values = torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2).float()
    return values.div_(127.5).sub_(1), torch.from_numpy(np.stack(maps))
