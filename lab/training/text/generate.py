"""Writes shards of drawn lines. Same seed and counts, same bytes (with the same Pillow, numpy and faces).

usage: generate.py OUT_DIR --split train|test --lines 60000 --seed 1 [--shard 2000]
"""

import pathlib
import random
from functools import partial

import shared  # noqa: F401  (finds ../ctc)
from faces import SPLITS, weighted
from lines import HEIGHT, Faces, draw_line
from shards import write_shard
from splits import write_split
from texts import line

WIDTH_MAX = 1200


def make_shard(seed, count, split):
    files, weights = weighted(SPLITS[split])
    rng, faces, made = random.Random(f"{split} {seed}"), Faces(), []
    while len(made) < count:
        drawn, read = line(rng)
        path = rng.choices(files, weights)[0]
        if faces.lacks(path, drawn):
            continue
        others = [(line(rng)[0][: len(drawn) + 6], below) for below in (False, True) if rng.random() < 0.16]
        others = [(text, below) for text, below in others if not faces.lacks(path, text)]
        picture = draw_line(rng, faces, path, drawn, others)
        if picture.shape[1] <= WIDTH_MAX:
            made.append((picture, read, pathlib.Path(path).stem))
    return made


if __name__ == "__main__":
    write_split(__doc__, "lines", {"plain": make_shard}, partial(write_shard, height=HEIGHT), 60_000, 2000)
