"""Shards on disk: how the generators are called, written so that a reader never sees half of one, and their hash."""

import argparse
import hashlib
import pathlib
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import accumulate

import numpy as np


def save(path, **arrays):
    part = path.with_suffix(".part.npz")
    np.savez(part, **arrays)
    part.rename(path)  # a reader never sees half a shard


def finished(folder, split):
    """The whole shards of a split, in the order of their names."""
    return [path for path in sorted(folder.glob(f"{split}-*.npz")) if not path.name.endswith(".part.npz")]


def digest(paths):
    """SHA-256 over the shards' bytes, in the order of their names."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(path.read_bytes())
    return total.hexdigest()


def write_one(make_shard, write_shard, options, k):
    """The number of items in shard `k`, which depends on nothing but the seed and `k`."""
    count = min(options.shard, options.count - k * options.shard)
    offset = 0 if options.split == "train" else 500_000
    made = make_shard(options.seed * 1_000_000 + offset + k, count, options.split)
    write_shard(options.out / f"{options.split}-{options.seed}-{k:04d}.npz", made)
    return count


def write_split(usage, noun, kinds, write_shard, count, per_shard):
    """Writes the shards of the command line; the two splits never share seeds.

    `noun`: what is counted, in the plural. `kinds`: name -> make_shard(seed, count, split); the first is the default.
    `write_shard(path, made)`. `count`, `per_shard`: how many where the command line does not say.
    """
    parser = argparse.ArgumentParser(description=usage, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--split", choices=("train", "test"), default="train")
    parser.add_argument(f"--{noun}", dest="count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shard", type=int, default=per_shard)
    parser.add_argument("--kind", choices=tuple(kinds), default=next(iter(kinds)))
    parser.add_argument("--jobs", type=int, default=1, help="processes; the bytes are the same with any number")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    started, shards = time.time(), range((options.count + options.shard - 1) // options.shard)
    with ProcessPoolExecutor(options.jobs) as processes:
        counts = processes.map(partial(write_one, kinds[options.kind], write_shard, options), shards)
        for done in accumulate(counts):
            print(f"{done} {noun}, {1000 * (time.time() - started) / done:.1f} ms each", flush=True)
