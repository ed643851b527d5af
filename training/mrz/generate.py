"""Writes shards of drawn lines. Same seed and counts, same bytes (with the same Pillow and numpy).

usage: generate.py OUT_DIR --split train|test --lines 60000 --seed 1 [--shard 2000]
"""

import argparse
import pathlib
import random
import time

import numpy as np

from lines import HEIGHT, TEST_FONTS, TRAIN_FONTS, Glyphs, draw_line
from texts import document, fill


def neighbours(rng, rows, index):
    """Mostly the document's own lines; sometimes none, sometimes print of another pitch above."""
    if rng.random() < 0.25:
        return [rows[index]], 0
    length = len(rows[index])
    return [fill(row, length) for row in rows], index


def make_shard(seed, count, fonts):
    rng, glyphs, made = random.Random(seed), Glyphs(), []
    while len(made) < count:
        rows = document(rng)
        index = rng.randrange(len(rows))
        text = rows[index]
        picture, font = draw_line(rng, glyphs, *neighbours(rng, rows, index), fonts)
        made.append((picture, text, pathlib.Path(font).stem))
    return made


def write_shard(path, made):
    """Pictures one after the other as 32-row blocks; `widths` and `texts` say where each ends and what it holds."""
    part = path.with_suffix(".part.npz")
    np.savez(
        part,
        pixels=np.concatenate([picture.reshape(-1) for picture, _, _ in made]),
        widths=np.array([picture.shape[1] for picture, _, _ in made], np.int32),
        texts=np.array([text for _, text, _ in made]),
        fonts=np.array([font for _, _, font in made]),
        height=HEIGHT,
    )
    part.rename(path)  # a reader never sees half a shard


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--split", choices=("train", "test"), default="train")
    parser.add_argument("--lines", type=int, default=60000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shard", type=int, default=2000)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    fonts = TRAIN_FONTS if options.split == "train" else TEST_FONTS
    offset = 0 if options.split == "train" else 500_000
    started, done = time.time(), 0
    for k in range((options.lines + options.shard - 1) // options.shard):
        count = min(options.shard, options.lines - done)
        made = make_shard(options.seed * 1_000_000 + offset + k, count, fonts)
        write_shard(options.out / f"{options.split}-{options.seed}-{k:04d}.npz", made)
        done += count
        print(f"{done} lines, {1000 * (time.time() - started) / done:.1f} ms each", flush=True)


if __name__ == "__main__":
    main()
