"""Trains the network of printed lines.

usage: train.py --data DIR --out FILE.onnx --lines-seen 400000 [--seed 0]
       train.py --smoke        some seconds: generates a few lines, trains on them and demands that the loss falls
"""

import shared  # noqa: F401  (finds ../ctc)
from alphabet import ALPHABET
from generate import make_shard
from line_task import line_task
from lines import HEIGHT
from network import STRIDE, LineNetwork
from run import main

TASK = line_task(
    make_network=LineNetwork,
    make_shard=make_shard,
    alphabet=ALPHABET,
    height=HEIGHT,
    stride=STRIDE,
    batch_size=32,
    export_width=400,
)

if __name__ == "__main__":
    main(TASK, __doc__)
