"""Trains the card network on drawn scenes and exports ONNX after every epoch.

usage: train.py --data DIR --out FILE.onnx [--minutes 45] [--scenes-seen 200000] [--seed 0]
       train.py --smoke        a minute: draws a few scenes, trains on them and demands that the loss falls

Beside FILE.onnx it writes FILE.training.json (data hash, seed, figures) and FILE.training.txt (the log).
Shards that appear in DIR while it runs join at the next epoch. The learning rate follows the share of
--scenes-seen or of --minutes, whichever is further; with all shards there at the start and minutes to
spare, a run can be repeated.
"""

import argparse
import hashlib
import json
import math
import pathlib
import tempfile
import time

import numpy as np
import torch
from torch import nn

from generate import make_shard, write_shard
from network import CardNetwork
from shards import batch, read_shard, width_of
from splits import digest

#: Small: what is short is steps, not memory.
BATCH = 8
#: Test scenes looked at after an epoch; all of them at the end.
GLANCE = 300
#: How much more a place on a border weighs than an empty one: there are few of them.
EXTRA = torch.tensor((0.0, 6.0)).reshape(1, 2, 1, 1)


class Probabilities(nn.Module):
    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, pictures):
        return torch.sigmoid(self.network(pictures))


def agreement(scores, maps):
    """Intersection over union of the card's map and the truth, both soft, per picture."""
    shared = torch.minimum(scores, maps).sum((1, 2))
    return shared / torch.maximum(scores, maps).sum((1, 2)).clamp(min=1e-6)


def evaluate(network, scenes):
    """Agreement on scenes with a card; share of scenes without one in which more than 1 % of the places look like one."""
    network.eval()
    found, false = [], []
    with torch.no_grad():
        for _, part in by_shape(scenes):
            for k in range(0, len(part), 40):
                chunk = part[k : k + 40]
                pictures, maps = batch(chunk)
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
        groups.setdefault(width_of(scene[0]), []).append(scene)
    return sorted(groups.items())


def export(network, path):
    network.eval()
    axes = {"x": {0: "batch", 2: "height", 3: "width"}, "y": {0: "batch", 2: "rows", 3: "columns"}}
    torch.onnx.export(Probabilities(network), torch.zeros(1, 3, 256, 192), str(path), input_names=["x"], output_names=["y"], dynamic_axes=axes, opset_version=13)


def rate(progress, highest):
    warm = min(1, progress / 0.02 + 0.1)
    return highest * warm * (0.5 + 0.5 * math.cos(math.pi * max(0, progress - 0.02) / 0.98)) + 1e-5


def step(network, optimiser, scenes, rng):
    pictures, maps = batch(scenes, rng)
    # Half the digits are enough, and twice as fast on processors that have matrix units for them.
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = network(pictures)
    losses = nn.functional.binary_cross_entropy_with_logits(logits.float(), maps, reduction="none")
    loss = (losses * (1 + EXTRA * maps)).mean()
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 2)
    optimiser.step()
    return loss.item()


class Run:
    """One training run: its data, its clock and its log."""

    def __init__(self, data, out, minutes, scenes_seen, seed, resume=None, highest=3e-3):
        torch.manual_seed(seed)
        self.data, self.out, self.seed, self.highest = data, out, seed, highest
        self.seconds, self.scenes_seen = minutes * 60, scenes_seen
        self.random = np.random.default_rng(seed)
        self.network = CardNetwork()
        if resume is not None:
            self.network.load_state_dict(torch.load(resume))
        self.network = self.network.to(memory_format=torch.channels_last)
        self.optimiser = torch.optim.AdamW(self.network.parameters(), lr=2e-3, weight_decay=1e-2)
        self.test = [scene for path in sorted(data.glob("test-*.npz")) for scene in read_shard(path)]
        self.paths, self.scenes, self.seen, self.loss, self.started = [], {}, 0, 0.0, time.time()
        self.log = open(out.with_suffix(".training.txt"), "w", encoding="utf-8")
        self.say(f"parameters {sum(p.numel() for p in self.network.parameters())} test scenes {len(self.test)} seed {seed}")

    def say(self, text):
        print(text, flush=True)
        print(text, file=self.log, flush=True)

    def progress(self):
        return max(self.seen / self.scenes_seen, (time.time() - self.started) / self.seconds)

    def join_new_shards(self):
        for path in sorted(self.data.glob("train-*.npz")):
            if path not in self.paths and not path.name.endswith(".part.npz"):
                self.paths.append(path)
                for width, scenes in by_shape(read_shard(path)):
                    self.scenes.setdefault(width, []).extend(scenes)

    def batches(self):
        """Scenes of one shape together, in random order."""
        made = []
        for scenes in self.scenes.values():
            order = self.random.permutation(len(scenes))
            made += [[scenes[i] for i in order[k : k + BATCH]] for k in range(0, len(order) - BATCH + 1, BATCH)]
        return [made[i] for i in self.random.permutation(len(made))]

    def epoch(self):
        self.network.train()
        losses = []
        for scenes in self.batches():
            if self.progress() >= 1:
                break
            for group in self.optimiser.param_groups:
                group["lr"] = rate(self.progress(), self.highest)
            losses.append(step(self.network, self.optimiser, scenes, self.random))
            self.seen += BATCH
        self.loss = float(np.mean(losses or [0.0]))
        return self.loss

    def count(self):
        return sum(len(scenes) for scenes in self.scenes.values())

    def train(self):
        epoch = 0
        while self.progress() < 1:
            self.join_new_shards()
            loss = self.epoch()
            figures = evaluate(self.network, self.test[:GLANCE])
            self.say(f"epoch {epoch} scenes {self.count()} seen {self.seen} loss {loss:.4f} agreement {figures['agreement']:.4f} "
                     f"over .85 {figures['over85']:.4f} false cards {figures['falseCards']} {time.time() - self.started:.0f} s")
            export(self.network, self.out)
            torch.save(self.network.state_dict(), self.data / f"{self.out.stem}.pt")
            epoch += 1
        self.report(evaluate(self.network, self.test))

    def report(self, figures):
        weights = self.out.read_bytes()
        facts = {
            "weights": {"sha256": hashlib.sha256(weights).hexdigest(), "bytes": len(weights)},
            "data": {"sha256": digest(self.paths), "shards": len(self.paths), "scenes": self.count(), "scenesSeen": self.seen},
            "testData": {"sha256": digest(self.data.glob("test-*.npz"))},
            "seed": self.seed,
            "torch": torch.__version__,
            "seconds": round(time.time() - self.started),
            "test": figures,
        }
        self.out.with_suffix(".training.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
        self.say(f"weights {facts['weights']['sha256']} {len(weights)} bytes, data {facts['data']['sha256']}")


def smoke():
    """Proves in a minute that drawing, training, evaluating and exporting still work together."""
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder)
        write_shard(data / "train-0-0000.npz", make_shard(1, 144, "train"))
        write_shard(data / "test-0-0000.npz", make_shard(2, 24, "test"))
        run = Run(data, data / "smoke.onnx", minutes=5, scenes_seen=144 * 8, seed=0)
        run.join_new_shards()
        first = run.epoch()
        run.train()
        last = run.loss
        assert last < 0.8 * first, f"the loss did not fall: {first:.3f} -> {last:.3f}"
        assert (data / "smoke.onnx").stat().st_size > 500_000
        print(f"smoke: loss {first:.3f} -> {last:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=45)
    parser.add_argument("--scenes-seen", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rate", type=float, default=3e-3, help="the highest learning rate; less to go on from --resume")
    parser.add_argument("--resume", type=pathlib.Path, help="a .pt that an earlier run left in its --data folder")
    parser.add_argument("--smoke", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.smoke:
        smoke()
    else:
        Run(options.data, options.out, options.minutes, options.scenes_seen, options.seed, options.resume, options.rate).train()


if __name__ == "__main__":
    main()
