"""Trains the card network on drawn scenes.

usage: train.py --data DIR --out FILE.onnx --scenes-seen 200000 [--seed 0]
       train.py --smoke        two minutes: draws a few scenes, trains on them and demands that the loss falls
"""

import numpy as np
import torch
from torch import nn

import shared  # noqa: F401  (finds ../run.py)
from generate import make_shard, write_shard
from network import CardNetwork
from run import Task, main
from shards import read_shard
from views import batch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
#: Small on a processor: steps are scarce, not memory.
BATCH = 128 if DEVICE == "cuda" else 8
#: How much more a place on a border weighs than an empty one: there are few of them.
EXTRA = torch.tensor((0.0, 6.0), device=DEVICE).reshape(1, 2, 1, 1)
#: Half the digits are enough, and faster. Not on a processor: there torch 1.13 answers differently from run to run, at times NaN.
HALVES = DEVICE == "cuda"


class Probabilities(nn.Module):
    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, pictures):
        return torch.sigmoid(self.network(pictures))


def agreement(scores, maps):
    """Intersection over union of the card's map and the truth, both soft, per image."""
    shared = torch.minimum(scores, maps).sum((1, 2))
    return shared / torch.maximum(scores, maps).sum((1, 2)).clamp(min=1e-6)


def evaluate(network, scenes):
    """Agreement on scenes with a card; share of scenes without one in which more than 1 % of the places look like one."""
    found, false = [], []
    with torch.no_grad():
        for _, part in by_shape(scenes):
            for k in range(0, len(part), 40):
                chunk = part[k : k + 40]
                pictures, maps = batch(chunk, DEVICE)
                scores = torch.sigmoid(network(pictures)[:, 0])
                agreed = agreement(scores, maps[:, 0])
                for i, (_, quads) in enumerate(chunk):
                    if len(quads) > 0:
                        found.append(float(agreed[i]))
                    else:
                        false.append(float((scores[i] > 0.5).float().mean()) > 0.01)
    found = np.array(found)
    return {
        "scenes": len(scenes),
        "cards": len(found),
        "agreement": round(float(found.mean()), 4),
        "over85": round(float((found > 0.85).mean()), 4),
        "without": len(false),
        "falseCards": round(float(np.mean(false)), 4) if false else None,
    }


def by_shape(scenes):
    groups = {}
    for scene in scenes:
        groups.setdefault(scene[0].shape[1], []).append(scene)
    return sorted(groups.items())


def loss_of(network, scenes, rng):
    pictures, maps = batch(scenes, DEVICE, rng)
    with torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=HALVES):
        logits = network(pictures)
    losses = nn.functional.binary_cross_entropy_with_logits(logits.float(), maps, reduction="none")
    return (losses * (1 + EXTRA * maps)).mean()


def batches(scenes, rng):
    """Scenes of one shape together, in random order."""
    made = []
    for _, part in by_shape(scenes):
        order, size = rng.permutation(len(part)), min(BATCH, len(part))
        made += [[part[i] for i in order[k : k + size]] for k in range(0, len(order) - size + 1, size)]
    return [made[i] for i in rng.permutation(len(made))]


def summary(figures):
    return f"agreement {figures['agreement']:.4f} over .85 {figures['over85']:.4f} false cards {figures['falseCards']}"


TASK = Task(
    noun="scenes",
    make_network=CardNetwork,
    device=DEVICE,
    make_shard=make_shard,
    write_shard=write_shard,
    read_shard=read_shard,
    batches=batches,
    loss_of=loss_of,
    evaluate=evaluate,
    summary=summary,
    example=torch.zeros(1, 3, 256, 192),
    axes={"x": {0: "batch", 2: "height", 3: "width"}, "y": {0: "batch", 2: "rows", 3: "columns"}},
    weight_decay=1e-2,
    gradient_max=2,
    warm_up=0.02,
    wrap=Probabilities,
    glance=300,
    smoke_count=208,
    smoke_fall=0.8,
)

if __name__ == "__main__":
    main(TASK, __doc__)
