"""Trains a network on shards of drawn images and exports ONNX after every epoch.

Beside FILE.onnx a run writes FILE.training.json (data hash, seed, figures) and FILE.training.txt (the log), and beside
the data FILE.pt, from which another run can go on. The learning rate follows the share of the items seen and nothing
of the clock, and torch has one thread: the same command gives the same bytes with the same torch on the same processor.
"""

import argparse
import hashlib
import inspect
import json
import math
import os
import pathlib
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Callable

import numpy as np
import torch
from torch import nn

from splits import digest, finished


@dataclass(frozen=True)
class Task:
    """The differences between the networks. An item is a line or a scene as `read_shard(path)` gives it.

    `make_shard(seed, count, split)` draws items, `write_shard(path, made)` keeps them. `batches(items, rng)` parts them into
    lists in random order, `loss_of(network, items, rng)` is a tensor, `evaluate(network, items)` the figures of a split and
    `summary(figures)` their line in the log; after an epoch `glance` items are evaluated, all where it is None. What is exported
    is `wrap(network)` with `example` as its input. `warm_up`: share of the run; `facts`: what the report says beside;
    `device`: where the network learns. On a GPU the same command gives other bytes each time, and the same figures within noise.
    """

    noun: str
    make_network: Callable[[], nn.Module]
    make_shard: Callable
    write_shard: Callable
    read_shard: Callable
    batches: Callable
    loss_of: Callable
    evaluate: Callable
    summary: Callable
    example: torch.Tensor
    axes: dict
    weight_decay: float
    gradient_max: float
    warm_up: float
    smoke_count: int
    smoke_fall: float
    wrap: Callable = staticmethod(lambda network: network)
    device: str = "cpu"
    glance: int | None = None
    facts: dict = field(default_factory=dict)


class Run:
    """One training run: its data and its log."""

    def __init__(self, task, data, out, total, seed, resume=None, highest=3e-3):
        torch.manual_seed(seed)
        self.task, self.data, self.out, self.total, self.seed, self.highest = task, data, out, total, seed, highest
        self.random, self.network = np.random.default_rng(seed), task.make_network()
        if resume is not None:
            self.network.load_state_dict(torch.load(resume, map_location="cpu"))
        # 1.5 times as fast on a processor (150 against 98 lines a second, one thread)
        self.network = self.network.to(task.device, memory_format=torch.channels_last)
        self.optimiser = torch.optim.AdamW(self.network.parameters(), lr=2e-3, weight_decay=task.weight_decay)
        self.items, self.test = self.read("train"), self.read("test")
        self.seen, self.loss, self.started = 0, 0.0, time.time()
        self.log = open(out.with_suffix(".training.txt"), "w", encoding="utf-8")
        self.say(f"parameters {sum(p.numel() for p in self.network.parameters())} test {task.noun} {len(self.test)} seed {seed} "
                 f"rate {highest}" + (f" from {hashlib.sha256(resume.read_bytes()).hexdigest()}" if resume else ""))

    def read(self, split):
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return [item for shard in threads.map(self.task.read_shard, finished(self.data, split)) for item in shard]

    def say(self, text):
        print(text, flush=True)
        print(text, file=self.log, flush=True)

    def progress(self):
        return self.seen / self.total

    def rate(self):
        warm_up, progress = self.task.warm_up, self.progress()
        warm = min(1, progress / warm_up + 0.1)
        return self.highest * warm * (0.5 + 0.5 * math.cos(math.pi * max(0, progress - warm_up) / (1 - warm_up))) + 1e-5

    def step(self, items):
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate()
        loss = self.task.loss_of(self.network, items, self.random)
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), self.task.gradient_max)
        self.optimiser.step()
        self.seen += len(items)
        return loss.item()

    def epoch(self):
        self.network.train()
        losses = []
        for items in self.task.batches(self.items, self.random):
            if self.progress() >= 1:
                break
            losses.append(self.step(items))
        self.loss = float(np.mean(losses or [0.0]))
        return self.loss

    def evaluate(self, count=None):
        self.network.eval()
        return self.task.evaluate(self.network, self.test[:count])

    def export(self):
        weights = {name: value.cpu() for name, value in self.network.state_dict().items()}
        torch.save(weights, self.data / f"{self.out.stem}.pt")
        network = self.task.make_network().eval()
        network.load_state_dict(weights)
        # Later torch has another exporter beside the one that gave the shipped files.
        exporter = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}
        torch.onnx.export(self.task.wrap(network), self.task.example, str(self.out), input_names=["x"], output_names=["y"],
                          dynamic_axes=self.task.axes, opset_version=13, **exporter)

    def train(self):
        count, noun = 0, self.task.noun
        while self.progress() < 1:
            loss = self.epoch()
            figures = self.evaluate(self.task.glance)
            self.say(f"epoch {count} {noun} {len(self.items)} seen {self.seen} loss {loss:.4f} {self.task.summary(figures)} "
                     f"{time.time() - self.started:.0f} s")
            self.export()
            count += 1
        self.report(figures if self.task.glance is None else self.evaluate())

    def report(self, figures):
        weights, noun, paths = self.out.read_bytes(), self.task.noun, finished(self.data, "train")
        facts = {
            "weights": {"sha256": hashlib.sha256(weights).hexdigest(), "bytes": len(weights)},
            "data": {"sha256": digest(paths), "shards": len(paths), noun: len(self.items), f"{noun}Seen": self.seen},
            "testData": {"sha256": digest(finished(self.data, "test"))},
            **self.task.facts,
            "seed": self.seed,
            "torch": torch.__version__,
            "seconds": round(time.time() - self.started),
            "test": figures,
        }
        text = json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
        self.out.with_suffix(".training.json").write_text(text, encoding="utf-8")
        self.say(f"weights {facts['weights']['sha256']} {len(weights)} bytes, data {facts['data']['sha256']}")


def smoke(task):
    """Proves in some seconds that drawing, training, evaluating and exporting still work together."""
    with tempfile.TemporaryDirectory() as folder:
        data, count = pathlib.Path(folder), task.smoke_count
        task.write_shard(data / "train-0-0000.npz", task.make_shard(1, count, "train"))
        task.write_shard(data / "test-0-0000.npz", task.make_shard(2, 24, "test"))
        run = Run(task, data, data / "smoke.onnx", count * 8, seed=0)
        first = run.epoch()
        run.train()
        last = run.loss
        assert last < task.smoke_fall * first, f"the loss did not fall: {first:.3f} -> {last:.3f}"
        assert (data / "smoke.onnx").stat().st_size > 500_000
        print(f"smoke: loss {first:.3f} -> {last:.3f}")


def main(task, usage):
    parser = argparse.ArgumentParser(description=usage, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument(f"--{task.noun}-seen", dest="total", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rate", type=float, default=3e-3, help="the highest learning rate; less to go on from --resume")
    parser.add_argument("--resume", type=pathlib.Path, help="a .pt that an earlier run left in its --data folder")
    parser.add_argument("--smoke", action="store_true")
    o = parser.parse_args()
    torch.set_num_threads(1)
    if o.smoke:
        smoke(task)
    elif None in (o.data, o.out, o.total):
        parser.error(f"--data, --out and --{task.noun}-seen are needed")
    else:
        Run(task, o.data, o.out, o.total, o.seed, o.resume, o.rate).train()
