"""Writes photographs of every situation, and their corners for `idem measure location`: for measuring, never to learn from.

usage: photographs.py OUT_DIR --part choose|report --each 40 [--seed 1]

Typefaces, layouts and grounds are those of the test split. The two parts share no seed. OUT_DIR gets one folder and one list
SITUATION.json for each situation, and all.json.
"""

import argparse
import json
import pathlib

import numpy as np

from cards import TEST_LAYOUTS
from drawing import TEST_FONTS, Fonts
from grounds import TEST_GROUNDS
from scenes import Pools
from situations import SITUATIONS, draw_situation

#: Longer side 1024 px: the locator refines at this size.
OVER = 4
PARTS = ("choose", "report")


def as_list(quads):
    """Clockwise in the image, as the list wants them."""
    return [[round(float(x), 2), round(float(y), 2)] for x, y in quads]


def write(out, part, each, seed):
    # Seeds that generate.py never uses.
    rng, lists = np.random.default_rng((seed, PARTS.index(part), 77)), {}
    pools = Pools(rng, Fonts(TEST_FONTS), TEST_LAYOUTS, TEST_GROUNDS, 90, 45)
    for name in SITUATIONS:
        (out / name).mkdir(parents=True, exist_ok=True)
        quads = {}
        while len(quads) < each:
            jpeg, found = draw_situation(rng, pools, name, OVER, 1)
            # One card is measured at a time.
            if len(found) > 1 or (len(found) == 0) != (name == "nothing"):
                continue
            path = f"{name}/{len(quads):03d}.jpg"
            (out / path).write_bytes(jpeg)
            quads[path] = as_list(found[0]) if len(found) == 1 else None
        (out / f"{name}.json").write_text(json.dumps({"quads": quads}))
        lists.update(quads)
        print(name, flush=True)
    (out / "all.json").write_text(json.dumps({"quads": lists}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--part", choices=PARTS, required=True)
    parser.add_argument("--each", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    write(options.out, options.part, options.each, options.seed)
