"""The line network: 40 x W grey in, one column of scores (blank and the alphabet) for every 2 px out."""

import torch
from torch import nn

from alphabet import ALPHABET
from layers import along, block

CLASSES = len(ALPHABET) + 1
STRIDE = 2


class LineNetwork(nn.Module):
    """About 310 000 parameters, one millisecond a line on one core. A column sees 77 px: c and C differ by the
    height of its neighbours."""

    def __init__(self):
        super().__init__()
        self.columns = nn.Sequential(
            block(1, 20, (2, 2)), block(20, 32, (2, 1)), block(32, 48, (2, 1)), block(48, 64, (2, 1))
        )
        self.strokes = along(192, 128, 1)
        self.near, self.far = along(128, 128, 2), along(128, 128, 4, reach=3)
        self.scores = nn.Conv1d(128, CLASSES, 1)

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """(batch, 1, 40, W) -> (batch, W / 2, classes), not normalised."""
        y = self.columns(pictures)
        batch, channels, height, width = y.shape
        y = self.strokes(y.reshape(batch, channels * height, width))
        y = y + self.near(y)
        return self.scores(y + self.far(y)).permute(0, 2, 1)
