"""Batches of scenes on the processor or on a GPU: images, the target maps of the network, and views that no run has seen."""

import numpy as np
import torch
from torch import nn

CELL = 4  # px of the image for one cell of the maps
BORDER_PX = 2.5
#: Luma of a grey copy (ITU-R BT.601).
LUMA = (0.299, 0.587, 0.114)


def padded(all_quads, device):
    """Quads of each scene as (scenes, most, 4, 2), and (scenes, most): is there one."""
    most = max(1, max(len(quads) for quads in all_quads))
    corners = np.zeros((len(all_quads), most, 4, 2), np.float32)
    present = np.zeros((len(all_quads), most), bool)
    for i, quads in enumerate(all_quads):
        corners[i, : len(quads)], present[i, : len(quads)] = quads, True
    return torch.from_numpy(corners).to(device), torch.from_numpy(present).to(device)


def maps_of(corners, present, width, height):
    """(scenes, 2, height / 4, width / 4): inside of a card, and nearness of its border; each 0..1."""
    x = (torch.arange(width // CELL, device=corners.device) + 0.5) * CELL
    y = (torch.arange(height // CELL, device=corners.device).unsqueeze(1) + 0.5) * CELL
    p = corners[..., None, None]  # (scenes, cards, corners, 2, rows, columns)
    (px, py), (dx, dy) = p.unbind(3), (p.roll(-1, 2) - p).unbind(3)
    length = torch.hypot(dx, dy) + 1e-6
    turn = torch.sign(dx * dy.roll(-1, 2) - dy * dx.roll(-1, 2))[:, :, :1]
    inside = (turn * (dx * (y - py) - dy * (x - px)) / length).amin(2)
    along = (((x - px) * dx + (y - py) * dy) / length**2).clamp(0, 1)
    away = ((x - px - along * dx) ** 2 + (y - py - along * dy) ** 2).amin(2)
    found = torch.stack(((inside / CELL + 0.5).clamp(0, 1), torch.exp(-away / (2 * BORDER_PX**2))), 2)
    return (found * present[:, :, None, None, None]).amax(1)


def corners_inside(corners, low, high):
    return ((corners >= low) & (corners <= high)).all(3).sum(2)


def closer_parts(rng, corners, present, size):
    """Offset and share of the part of each image to enlarge; the whole image in half of them, and where the part would cut off
    more than one corner of a card. (scenes, 2) and (scenes, 1)"""
    count = len(corners)
    share = torch.from_numpy(np.where(rng.random(count) < 0.5, 0.65 + 0.35 * rng.random(count), 1).astype(np.float32))[:, None].to(corners.device)
    low = torch.from_numpy(rng.random((count, 2)).astype(np.float32)).to(corners.device) * size * (1 - share)
    at, to = low[:, None, None], (low + share * size)[:, None, None]
    wanted = corners_inside(corners, 0, size).clamp(max=3)
    cuts = ((corners_inside(corners, at, to) < wanted) & present).any(1, keepdim=True)
    return torch.where(cuts, torch.zeros_like(low), low), torch.where(cuts, torch.ones_like(share), share)


def moved(rng, pictures, corners, present):
    """Each image nearer and mirrored at random, with its corners."""
    _, _, height, width = pictures.shape
    size = torch.tensor((width, height), dtype=torch.float32, device=corners.device)
    low, share = closer_parts(rng, corners, present, size)
    flip = torch.from_numpy(np.where(rng.random((len(corners), 2)) < 0.5, -1, 1).astype(np.float32)).to(corners.device)
    # Of places from -1 to 1: source = scale * place + offset
    scale, offset = share * flip, 2 * low / size + share - 1
    theta = torch.cat((torch.diag_embed(scale), offset[:, :, None]), 2)
    places = nn.functional.affine_grid(theta, list(pictures.shape), align_corners=False)
    seen = nn.functional.grid_sample(pictures, places, padding_mode="border", align_corners=False)
    nearer = (corners - low[:, None, None]) / share[:, None, None]
    mirror = flip[:, None, None] < 0
    return seen, torch.where(mirror, size - nearer, nearer)


def recoloured(rng, pictures):
    """Other colours in 30 % of the images, grey in 10 %, another exposure in 30 %. Values 0..1."""
    count, device = len(pictures), pictures.device
    kind = rng.random(count)
    order = np.stack([rng.permutation(3) if k < 0.3 else np.arange(3) for k in kind])
    seen = torch.take_along_dim(pictures, torch.from_numpy(order).to(device)[:, :, None, None], 1)
    is_grey = torch.from_numpy(kind > 0.9).to(device)[:, None, None, None]
    luma = (seen * torch.tensor(LUMA, device=device)[:, None, None]).sum(1, keepdim=True)
    power = np.where(rng.random(count) < 0.3, np.exp(0.4 * rng.standard_normal(count)), 1).astype(np.float32)
    return torch.where(is_grey, luma, seen).clamp(1e-4, 1) ** torch.from_numpy(power).to(device)[:, None, None, None]


def batch(scenes, device, rng=None):
    """Images (-1..1) and maps as tensors; each scene in another view where a generator is given."""
    values = torch.from_numpy(np.stack([picture for picture, _ in scenes])).to(device)
    pictures = values.permute(0, 3, 1, 2).float().div(255)
    corners, present = padded([quads for _, quads in scenes], device)
    if rng is not None:
        pictures, corners = moved(rng, pictures, corners, present)
        pictures = recoloured(rng, pictures)
    maps = maps_of(corners, present, values.shape[2], values.shape[1])
    # Channels last: faster on processors and on GPUs.
    return pictures.mul(2).sub(1).contiguous(memory_format=torch.channels_last), maps
