"""Reads the shards of generate.py."""

import io

import numpy as np
from PIL import Image


def decode(picture):
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))


def read_shard(path):
    """[(image as (height, width, 3) bytes, quads)]"""
    with np.load(path) as shard:
        data, ends, counts, quads = shard["bytes"].tobytes(), shard["ends"], shard["counts"], shard["quads"]
    starts, firsts = np.concatenate([[0], ends[:-1]]), np.cumsum(counts) - counts
    return [
        (decode(data[start:end]), quads[first : first + count])
        for start, end, first, count in zip(starts, ends, firsts, counts)
    ]
