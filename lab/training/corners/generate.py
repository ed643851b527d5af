"""Writes shards of drawn scenes. Same seed and counts, same bytes (with the same Pillow and numpy).

usage: generate.py OUT_DIR --split train|test --scenes 24000 --seed 1 [--shard 400]
"""

import numpy as np

import shared  # noqa: F401  (finds ../splits.py)
from cards import TEST_LAYOUTS, TRAIN_LAYOUTS
from drawing import TEST_FONTS, TRAIN_FONTS, Fonts
from grounds import TEST_GROUNDS, TRAIN_GROUNDS
from scenes import Pools
from situations import draw_scene
from splits import save, write_split


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
    save(
        path,
        bytes=np.frombuffer(b"".join(picture for picture, _ in scenes), np.uint8),
        ends=np.cumsum([len(picture) for picture, _ in scenes]),
        counts=np.array([len(quads) for _, quads in scenes]),
        quads=np.concatenate([quads for _, quads in scenes]),
    )


if __name__ == "__main__":
    write_split(__doc__, "scenes", {"drawn": make_shard}, write_shard, 24_000, 400)
