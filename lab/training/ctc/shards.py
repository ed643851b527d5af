"""Shards of drawn lines: written by the generators, read for training, batched as the product normalises its crops."""

import numpy as np
import torch

from splits import save


def write_shard(path, made, height):
    """`made`: (image, text, font). Consecutive images as blocks of `height` rows; `widths` and `texts`
    give the end and the content of each."""
    save(
        path,
        pixels=np.concatenate([picture.reshape(-1) for picture, _, _ in made]),
        widths=np.array([picture.shape[1] for picture, _, _ in made], np.int32),
        texts=np.array([text for _, text, _ in made]),
        fonts=np.array([font for _, _, font in made]),
        height=height,
    )


def read_shard(path, alphabet):
    """[(image, height x W uint8, codes, font)]; code 0 is the blank."""
    codes = {char: i + 1 for i, char in enumerate(alphabet)}
    with np.load(path) as shard:
        pixels, widths, texts, fonts = shard["pixels"], shard["widths"], shard["texts"], shard["fonts"]
        height = int(shard["height"])
    ends = np.cumsum(widths.astype(np.int64) * height)
    return [
        (pixels[end - width * height : end].reshape(height, width), [codes[c] for c in str(text)], str(font))
        for end, width, text, font in zip(ends, widths, texts, fonts)
    ]


def normalise(picture):
    """2nd percentile to -1, 95th to 1 (contrast never stretched beyond 25 grey levels), clipped at -1.6 and 1.8."""
    values = picture.astype(np.float32)
    low, high = np.percentile(values[:, ::4], (2, 95))
    return np.clip((values - low) / max(25, high - low), -0.3, 1.4) * 2 - 1


def batch(lines, stride):
    """Images, codes of all texts, text lengths, columns of `stride` px of each image."""
    # Few different widths: oneDNN compiles its kernels anew for each shape.
    width = (max(picture.shape[1] for picture, _, _ in lines) + 31) // 32 * 32
    pictures = np.ones((len(lines), 1, lines[0][0].shape[0], width), np.float32)
    for k, (picture, _, _) in enumerate(lines):
        pictures[k, 0, :, : picture.shape[1]] = normalise(picture)
    codes = torch.tensor([code for _, text, _ in lines for code in text])
    lengths = torch.tensor([len(text) for _, text, _ in lines])
    columns = torch.tensor([(picture.shape[1] + stride - 1) // stride for picture, _, _ in lines])
    return torch.from_numpy(pictures), codes, lengths, columns
