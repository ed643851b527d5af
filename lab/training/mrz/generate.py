"""Writes shards of drawn lines. Same seed and counts, same bytes (with the same Pillow and numpy).

usage: generate.py OUT_DIR --split train|test --lines 60000 --seed 1 [--shard 2000] [--kind plain|hard]
"""

import pathlib
import random
from functools import partial

import shared  # noqa: F401  (finds ../ctc)
from lines import HARD_TEST_FONTS, HARD_TRAIN_FONTS, HEIGHT, TEST_FONTS, TRAIN_FONTS, Glyphs, draw_hard_line, draw_line
from shards import write_shard
from splits import write_split
from texts import document, fill


def neighbours(rng, rows, index):
    """Mostly the document's own lines; sometimes none, sometimes print of another pitch above."""
    if rng.random() < 0.25:
        return [rows[index]], 0
    length = len(rows[index])
    return [fill(row, length) for row in rows], index


def make_lines(rng, count, draw, fonts):
    glyphs, made = Glyphs(), []
    while len(made) < count:
        rows = document(rng)
        index = rng.randrange(len(rows))
        text = rows[index]
        picture, font = draw(rng, glyphs, *neighbours(rng, rows, index), fonts)
        made.append((picture, text, pathlib.Path(font).stem))
    return made


def make_shard(seed, count, split):
    return make_lines(random.Random(seed), count, draw_line, TRAIN_FONTS if split == "train" else TEST_FONTS)


def make_hard_shard(seed, count, split):
    """Other texts than the plain shard of the same seed, and the degradations of `hardships.py`."""
    fonts = HARD_TRAIN_FONTS if split == "train" else HARD_TEST_FONTS
    return make_lines(random.Random(f"hard {seed}"), count, draw_hard_line, fonts)


if __name__ == "__main__":
    kinds = {"plain": make_shard, "hard": make_hard_shard}
    write_split(__doc__, "lines", kinds, partial(write_shard, height=HEIGHT), 60_000, 2000)
