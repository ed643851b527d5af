"""Reads the shards of generate.py and makes batches as the product normalises its crops."""

import hashlib

import numpy as np
import torch

from texts import ALPHABET

CODES = {char: i + 1 for i, char in enumerate(ALPHABET)}  # 0 is the blank


def read_shard(path):
    """[(picture 32 x W uint8, codes, font)]"""
    with np.load(path) as shard:
        pixels, widths, texts, fonts = shard["pixels"], shard["widths"], shard["texts"], shard["fonts"]
        height = int(shard["height"])
    ends = np.cumsum(widths.astype(np.int64) * height)
    return [
        (pixels[end - width * height : end].reshape(height, width), [CODES[c] for c in str(text)], str(font))
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


def batch(lines):
    """Pictures, codes of all texts, text lengths, columns that belong to each picture."""
    # Few different widths: oneDNN compiles its kernels anew for each shape.
    width = (max(picture.shape[1] for picture, _, _ in lines) + 31) // 32 * 32
    pictures = np.ones((len(lines), 1, lines[0][0].shape[0], width), np.float32)
    for k, (picture, _, _) in enumerate(lines):
        pictures[k, 0, :, : picture.shape[1]] = normalise(picture)
    codes = torch.tensor([code for _, text, _ in lines for code in text])
    lengths = torch.tensor([len(text) for _, text, _ in lines])
    columns = torch.tensor([(picture.shape[1] + 3) // 4 for picture, _, _ in lines])
    return torch.from_numpy(pictures), codes, lengths, columns
