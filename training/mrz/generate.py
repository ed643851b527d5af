"""Writes shards of drawn lines. Same seed and counts, same bytes (with the same Pillow and numpy).

usage: generate.py OUT_DIR --split train|test --lines 60000 --seed 1 [--shard 2000]
"""

import pathlib
import random

import shared  # noqa: F401  (finds ../ctc)
from lines import HEIGHT, TEST_FONTS, TRAIN_FONTS, Glyphs, draw_line
from shards import write_split
from texts import document, fill


def neighbours(rng, rows, index):
    """Mostly the document's own lines; sometimes none, sometimes print of another pitch above."""
    if rng.random() < 0.25:
        return [rows[index]], 0
    length = len(rows[index])
    return [fill(row, length) for row in rows], index


def make_shard(seed, count, split):
    fonts = TRAIN_FONTS if split == "train" else TEST_FONTS
    rng, glyphs, made = random.Random(seed), Glyphs(), []
    while len(made) < count:
        rows = document(rng)
        index = rng.randrange(len(rows))
        text = rows[index]
        picture, font = draw_line(rng, glyphs, *neighbours(rng, rows, index), fonts)
        made.append((picture, text, pathlib.Path(font).stem))
    return made


if __name__ == "__main__":
    write_split(__doc__, make_shard, HEIGHT)
