"""Trains the MRZ line network.

usage: train.py --data DIR --out FILE.onnx [--minutes 45] [--lines-seen 400000] [--seed 0]
       train.py --smoke        some seconds: generates a few lines, trains on them and demands that the loss falls
"""

import shared  # noqa: F401  (finds ../ctc)
from generate import make_shard
from lines import HEIGHT
from network import STRIDE, LineNetwork
from run import Task, main
from texts import ALPHABET

TASK = Task(
    name="mrz-line",
    alphabet=ALPHABET,
    height=HEIGHT,
    stride=STRIDE,
    make_network=LineNetwork,
    make_shard=make_shard,
    batch_size=24,
    export_width=800,
)

if __name__ == "__main__":
    main(TASK, __doc__)
