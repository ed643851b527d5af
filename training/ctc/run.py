"""Trains a line network with CTC and exports ONNX after every epoch.

Beside FILE.onnx a run writes FILE.training.json (data hash, seed, figures) and FILE.training.txt (the log).
Shards that appear in the data folder while it runs join at the next epoch. The learning rate follows the share of
the lines or of the minutes, whichever is further; with all shards there at the start and minutes to spare, a run can
be repeated exactly.
"""

import argparse
import hashlib
import json
import math
import pathlib
import tempfile
import time
from dataclasses import dataclass
from typing import Callable

import numpy as np
import torch
from torch import nn

from shards import batch, read_shard, write_shard
from splits import digest


@dataclass(frozen=True)
class Task:
    """What differs between the networks. `make_shard(seed, count, split)` draws lines; `batch_size` lines a step."""

    name: str
    alphabet: str
    height: int
    stride: int
    make_network: Callable[[], nn.Module]
    make_shard: Callable[[int, int, str], list]
    batch_size: int
    export_width: int


def greedy(scores, columns):
    best = scores.argmax(-1).numpy()
    for row, count in zip(best, columns):
        kept = [c for c, before in zip(row[:count], np.concatenate([[0], row])) if c and c != before]
        yield [int(c) for c in kept]


def distance(a, b):
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        current = [i]
        for j, y in enumerate(b, 1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (x != y)))
        previous = current
    return previous[-1]


def evaluate(network, lines, stride):
    """Share of exact lines, character error rate, exact share by font. Greedy, nothing else known of the line."""
    network.eval()
    exact, errors, characters, by_font = 0, 0, 0, {}
    with torch.no_grad():
        for k in range(0, len(lines), 40):
            part = lines[k : k + 40]
            pictures, _, _, columns = batch(part, stride)
            for (_, text, font), read in zip(part, greedy(network(pictures), columns)):
                right = read == text
                exact, characters = exact + right, characters + len(text)
                errors += 0 if right else distance(read, text)
                seen, hits = by_font.get(font, (0, 0))
                by_font[font] = (seen + 1, hits + right)
    fonts = {font: {"lines": seen, "exact": round(hits / seen, 4)} for font, (seen, hits) in sorted(by_font.items())}
    return {"lines": len(lines), "exact": round(exact / len(lines), 4), "characterErrors": round(errors / characters, 5), "fonts": fonts}


def export(network, task, path):
    network.eval()
    axes = {"x": {0: "batch", 3: "width"}, "y": {0: "batch", 1: "columns"}}
    example = torch.zeros(1, 1, task.height, task.export_width)
    torch.onnx.export(network, example, str(path), input_names=["x"], output_names=["y"], dynamic_axes=axes, opset_version=13)


def rate(progress, highest):
    warm = min(1, progress / 0.03 + 0.1)
    return highest * warm * (0.5 + 0.5 * math.cos(math.pi * max(0, progress - 0.03) / 0.97)) + 1e-5


def step(network, optimiser, lines, stride):
    pictures, codes, lengths, columns = batch(lines, stride)
    scores = network(pictures).log_softmax(-1).permute(1, 0, 2)
    loss = nn.functional.ctc_loss(scores, codes, torch.clamp(columns, max=scores.shape[0]), lengths, zero_infinity=True)
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 5)
    optimiser.step()
    return loss.item()


class Run:
    """One training run: its data, its clock and its log."""

    def __init__(self, task, data, out, minutes, lines_seen, seed, resume=None, highest=3e-3):
        torch.manual_seed(seed)
        self.task, self.data, self.out, self.seed, self.highest = task, data, out, seed, highest
        self.seconds, self.lines_seen = minutes * 60, lines_seen
        self.random, self.network = np.random.default_rng(seed), task.make_network()
        if resume is not None:
            self.network.load_state_dict(torch.load(resume))
        # 1.5 times as fast on a processor (150 against 98 lines a second, one thread)
        self.network = self.network.to(memory_format=torch.channels_last)
        self.optimiser = torch.optim.AdamW(self.network.parameters(), lr=2e-3, weight_decay=1e-4)
        self.test = [line for path in sorted(data.glob("test-*.npz")) for line in read_shard(path, task.alphabet)]
        self.paths, self.lines, self.seen, self.loss, self.started = [], [], 0, 0.0, time.time()
        self.log = open(out.with_suffix(".training.txt"), "w", encoding="utf-8")
        self.say(f"parameters {sum(p.numel() for p in self.network.parameters())} test lines {len(self.test)} seed {seed} "
                 f"rate {highest}" + (f" from {hashlib.sha256(resume.read_bytes()).hexdigest()}" if resume else ""))

    def say(self, text):
        print(text, flush=True)
        print(text, file=self.log, flush=True)

    def progress(self):
        return max(self.seen / self.lines_seen, (time.time() - self.started) / self.seconds)

    def join_new_shards(self):
        for path in sorted(self.data.glob("train-*.npz")):
            if path not in self.paths and not path.name.endswith(".part.npz"):
                self.paths.append(path)
                self.lines += read_shard(path, self.task.alphabet)

    def epoch(self):
        self.network.train()
        size = self.task.batch_size
        order = np.argsort([picture.shape[1] + self.random.random() * 12 for picture, _, _ in self.lines])
        losses, batches = [], len(order) // size
        for b in self.random.permutation(batches):
            if self.progress() >= 1:
                break
            for group in self.optimiser.param_groups:
                group["lr"] = rate(self.progress(), self.highest)
            lines = [self.lines[i] for i in order[b * size : (b + 1) * size]]
            losses.append(step(self.network, self.optimiser, lines, self.task.stride))
            self.seen += size
        self.loss = float(np.mean(losses or [0.0]))
        return self.loss

    def train(self):
        count, figures = 0, {}
        while self.progress() < 1:
            self.join_new_shards()
            loss = self.epoch()
            figures = evaluate(self.network, self.test, self.task.stride)
            self.say(f"epoch {count} lines {len(self.lines)} seen {self.seen} loss {loss:.4f} exact {figures['exact']:.4f} "
                     f"character errors {figures['characterErrors']:.5f} {time.time() - self.started:.0f} s")
            export(self.network, self.task, self.out)
            torch.save(self.network.state_dict(), self.data / f"{self.out.stem}.pt")
            count += 1
        self.report(figures)

    def report(self, figures):
        weights = self.out.read_bytes()
        facts = {
            "weights": {"sha256": hashlib.sha256(weights).hexdigest(), "bytes": len(weights)},
            "data": {"sha256": digest(self.paths), "shards": len(self.paths), "lines": len(self.lines), "linesSeen": self.seen},
            "testData": {"sha256": digest(self.data.glob("test-*.npz"))},
            "alphabet": self.task.alphabet,
            "seed": self.seed,
            "torch": torch.__version__,
            "seconds": round(time.time() - self.started),
            "test": figures,
        }
        text = json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
        self.out.with_suffix(".training.json").write_text(text, encoding="utf-8")
        self.say(f"weights {facts['weights']['sha256']} {len(weights)} bytes, data {facts['data']['sha256']}")


def smoke(task):
    """Proves in some seconds that generating, training, evaluating and exporting still work together."""
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder)
        write_shard(data / "train-0-0000.npz", task.make_shard(1, 240, "train"), task.height)
        write_shard(data / "test-0-0000.npz", task.make_shard(2, 24, "test"), task.height)
        run = Run(task, data, data / "smoke.onnx", minutes=10, lines_seen=240 * 8, seed=0)
        run.join_new_shards()
        first = run.epoch()
        run.train()
        last = run.loss
        assert last < 0.9 * first, f"the loss did not fall: {first:.3f} -> {last:.3f}"
        assert (data / "smoke.onnx").stat().st_size > 500_000
        print(f"smoke: loss {first:.3f} -> {last:.3f}")


def main(task, usage):
    parser = argparse.ArgumentParser(description=usage, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=45)
    parser.add_argument("--lines-seen", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rate", type=float, default=3e-3, help="the highest learning rate; less to go on from --resume")
    parser.add_argument("--resume", type=pathlib.Path, help="a .pt that an earlier run left in its --data folder")
    parser.add_argument("--smoke", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.smoke:
        smoke(task)
    else:
        o = options
        Run(task, o.data, o.out, o.minutes, o.lines_seen, o.seed, o.resume, o.rate).train()
