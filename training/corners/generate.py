"""Writes shards of drawn scenes. Same seed and counts, same bytes (with the same Pillow and numpy).

usage: generate.py OUT_DIR --split train|test --scenes 24000 --seed 1 [--shard 400]
"""

import argparse
import pathlib
import time

import numpy as np

from cards import TEST_LAYOUTS, TRAIN_LAYOUTS
from drawing import TEST_FONTS, TRAIN_FONTS, Fonts
from grounds import TEST_GROUNDS, TRAIN_GROUNDS
from scenes import Pools, draw_scene


def make_shard(seed, count, split):
    """[(JPEG, quads)]"""
    rng = np.random.default_rng(seed)
    if split == "train":
        pools = Pools(rng, Fonts(TRAIN_FONTS), TRAIN_LAYOUTS, TRAIN_GROUNDS)
    else:
        pools = Pools(rng, Fonts(TEST_FONTS), TEST_LAYOUTS, TEST_GROUNDS)
    return [draw_scene(rng, pools) for _ in range(count)]


def write_shard(path, scenes):
    """Files one after the other; `ends` and `counts` say where each ends and how many cards it shows."""
    part = path.with_suffix(".part.npz")
    np.savez(
        part,
        bytes=np.frombuffer(b"".join(picture for picture, _ in scenes), np.uint8),
        ends=np.cumsum([len(picture) for picture, _ in scenes]),
        counts=np.array([len(quads) for _, quads in scenes]),
        quads=np.concatenate([quads for _, quads in scenes]),
    )
    part.rename(path)  # a reader never sees half a shard


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--split", choices=("train", "test"), default="train")
    parser.add_argument("--scenes", type=int, default=24000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shard", type=int, default=400)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    offset = 0 if options.split == "train" else 500_000
    started, done = time.time(), 0
    for k in range((options.scenes + options.shard - 1) // options.shard):
        count = min(options.shard, options.scenes - done)
        scenes = make_shard(options.seed * 1_000_000 + offset + k, count, options.split)
        write_shard(options.out / f"{options.split}-{options.seed}-{k:04d}.npz", scenes)
        done += count
        print(f"{done} scenes, {1000 * (time.time() - started) / done:.1f} ms each", flush=True)


if __name__ == "__main__":
    main()
