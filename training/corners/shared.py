"""Lets the scripts beside it import what the networks share."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
