"""Lets the scripts beside it import the shared modules of the networks."""

import pathlib
import sys

TRAINING = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(TRAINING), str(TRAINING / "ctc")]
