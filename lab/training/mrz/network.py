"""The line network: 32 x W grey in, one column of 38 scores (blank, 0-9, A-Z, <) for every 4 px out."""

import torch
from torch import nn

from layers import along, block

CLASSES = 38
STRIDE = 4


class LineNetwork(nn.Module):
    """225 526 parameters: small enough for half a millisecond a line on one core. A character is four to six columns wide."""

    def __init__(self):
        super().__init__()
        self.columns = nn.Sequential(
            block(1, 16, (2, 2)), block(16, 32, (2, 2)), block(32, 48, (2, 1)), block(48, 64, (2, 1))
        )
        self.context = nn.Sequential(along(128, 128, 1), along(128, 128, 2), nn.Conv1d(128, CLASSES, 3, 1, 1))

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """(batch, 1, 32, W) -> (batch, W / 4, 38), not normalised."""
        y = self.columns(pictures)
        batch, channels, height, width = y.shape
        return self.context(y.reshape(batch, channels * height, width)).permute(0, 2, 1)
