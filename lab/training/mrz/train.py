"""Trains the MRZ line network.

usage: train.py --data DIR --out FILE.onnx --lines-seen 400000 [--seed 0]
       train.py --smoke        some seconds: generates a few lines, trains on them and demands that the loss falls
"""

import shared  # noqa: F401  (finds ../ctc)
from generate import make_hard_shard, make_shard
from line_task import line_task
from lines import HEIGHT
from network import STRIDE, LineNetwork
from run import main
from texts import ALPHABET


def make_both(seed, count, split):
    """For the smoke run: half of the lines are hard ones."""
    return make_shard(seed, count - count // 2, split) + make_hard_shard(seed, count // 2, split)


TASK = line_task(
    make_network=LineNetwork,
    make_shard=make_both,
    alphabet=ALPHABET,
    height=HEIGHT,
    stride=STRIDE,
    batch_size=24,
    export_width=800,
)

if __name__ == "__main__":
    main(TASK, __doc__)
