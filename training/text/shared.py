"""Lets the scripts beside it import what both line networks share."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "ctc"))
