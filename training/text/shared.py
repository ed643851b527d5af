"""Lets the scripts beside it import what the networks share."""

import pathlib
import sys

TRAINING = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(TRAINING), str(TRAINING / "ctc")]
