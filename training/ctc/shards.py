"""Shards of drawn lines: written by the generators, read for training, batched as the product normalises its crops."""

import argparse
import hashlib
import pathlib
import time

import numpy as np
import torch


def write_shard(path, made, height):
    """`made`: (picture, text, font). Pictures one after the other as blocks of `height` rows; `widths` and `texts`
    say where each ends and what it holds."""
    part = path.with_suffix(".part.npz")
    np.savez(
        part,
        pixels=np.concatenate([picture.reshape(-1) for picture, _, _ in made]),
        widths=np.array([picture.shape[1] for picture, _, _ in made], np.int32),
        texts=np.array([text for _, text, _ in made]),
        fonts=np.array([font for _, _, font in made]),
        height=height,
    )
    part.rename(path)  # a reader never sees half a shard


def write_split(usage, make_shard, height):
    """Writes what the command line asks for; the seeds of the two splits never meet."""
    parser = argparse.ArgumentParser(description=usage, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--split", choices=("train", "test"), default="train")
    parser.add_argument("--lines", type=int, default=60000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shard", type=int, default=2000)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    offset = 0 if options.split == "train" else 500_000
    started, done = time.time(), 0
    for k in range((options.lines + options.shard - 1) // options.shard):
        count = min(options.shard, options.lines - done)
        made = make_shard(options.seed * 1_000_000 + offset + k, count, options.split)
        write_shard(options.out / f"{options.split}-{options.seed}-{k:04d}.npz", made, height)
        done += count
        print(f"{done} lines, {1000 * (time.time() - started) / done:.1f} ms each", flush=True)


def read_shard(path, alphabet):
    """[(picture, height x W uint8, codes, font)]; code 0 is the blank."""
    codes = {char: i + 1 for i, char in enumerate(alphabet)}
    with np.load(path) as shard:
        pixels, widths, texts, fonts = shard["pixels"], shard["widths"], shard["texts"], shard["fonts"]
        height = int(shard["height"])
    ends = np.cumsum(widths.astype(np.int64) * height)
    return [
        (pixels[end - width * height : end].reshape(height, width), [codes[c] for c in str(text)], str(font))
        for end, width, text, font in zip(ends, widths, texts, fonts)
    ]


def digest(paths):
    """SHA-256 over the shards' bytes, in the order of their names."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(path.read_bytes())
    return total.hexdigest()


def normalise(picture):
    """2nd percentile to -1, 95th to 1 (contrast never stretched beyond 25 grey levels), clipped at -1.6 and 1.8."""
    values = picture.astype(np.float32)
    low, high = np.percentile(values[:, ::4], (2, 95))
    return np.clip((values - low) / max(25, high - low), -0.3, 1.4) * 2 - 1


def batch(lines, stride):
    """Pictures, codes of all texts, text lengths, columns of `stride` px that belong to each picture."""
    # Few different widths: oneDNN compiles its kernels anew for each shape.
    width = (max(picture.shape[1] for picture, _, _ in lines) + 31) // 32 * 32
    pictures = np.ones((len(lines), 1, lines[0][0].shape[0], width), np.float32)
    for k, (picture, _, _) in enumerate(lines):
        pictures[k, 0, :, : picture.shape[1]] = normalise(picture)
    codes = torch.tensor([code for _, text, _ in lines for code in text])
    lengths = torch.tensor([len(text) for _, text, _ in lines])
    columns = torch.tensor([(picture.shape[1] + stride - 1) // stride for picture, _, _ in lines])
    return torch.from_numpy(pictures), codes, lengths, columns
