"""Lets the scripts beside it import the shared modules of the networks."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
