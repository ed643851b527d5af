"""Shared training of the line networks: CTC, batches of lines of one width, figures by face."""

from functools import partial

import numpy as np
import torch
from torch import nn

from run import Task
from shards import batch, read_shard, write_shard


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


def evaluate(stride, network, lines):
    """Share of exact lines, character error rate, exact share by font. Greedy, nothing else known of the line."""
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


def loss_of(stride, network, lines, _rng):
    pictures, codes, lengths, columns = batch(lines, stride)
    scores = network(pictures).log_softmax(-1).permute(1, 0, 2)
    return nn.functional.ctc_loss(scores, codes, torch.clamp(columns, max=scores.shape[0]), lengths, zero_infinity=True)


def batches(size, lines, rng):
    """Lines of about one width together, in random order."""
    order = np.argsort([picture.shape[1] + rng.random() * 12 for picture, _, _ in lines])
    return [[lines[i] for i in order[b * size : (b + 1) * size]] for b in rng.permutation(len(order) // size)]


def line_task(make_network, make_shard, alphabet, height, stride, batch_size, export_width):
    """`make_shard(seed, count, split)` draws lines of `height` px; the network answers a column for `stride` px of width."""
    return Task(
        noun="lines",
        make_network=make_network,
        make_shard=make_shard,
        write_shard=partial(write_shard, height=height),
        read_shard=partial(read_shard, alphabet=alphabet),
        batches=partial(batches, batch_size),
        loss_of=partial(loss_of, stride),
        evaluate=partial(evaluate, stride),
        summary=lambda figures: f"exact {figures['exact']:.4f} character errors {figures['characterErrors']:.5f}",
        example=torch.zeros(1, 1, height, export_width),
        axes={"x": {0: "batch", 3: "width"}, "y": {0: "batch", 1: "columns"}},
        weight_decay=1e-4,
        gradient_max=5,
        warm_up=0.03,
        facts={"alphabet": alphabet},
        smoke_count=240,
        smoke_fall=0.9,
    )
