"""The card network: an image in, two maps of a quarter of its size out: card and border (logits)."""

import torch
from torch import nn

MAPS = 2


def block(inputs, outputs, stride=1, dilation=1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation=dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.body = block(channels, channels, 1, dilation)

    def forward(self, x):
        return x + self.body(x)


class CardNetwork(nn.Module):
    """Encoder to 1/32 and decoder back to 1/4; skip connections are added, which needs no copy."""

    def __init__(self, widths=(24, 36, 72, 96, 128)):
        super().__init__()
        a, b, c, d, e = widths
        self.first = block(3, a, 2)
        self.quarter = nn.Sequential(block(a, b, 2), Residual(b, 1))
        self.eighth = nn.Sequential(block(b, c, 2), Residual(c, 1), Residual(c, 2))
        self.sixteenth = nn.Sequential(block(c, d, 2), Residual(d, 1), Residual(d, 2), Residual(d, 4))
        self.last = nn.Sequential(block(d, e, 2), Residual(e, 1), Residual(e, 2))
        self.to_sixteenth = nn.Conv2d(e, d, 1)
        self.at_sixteenth = Residual(d, 1)
        self.to_eighth = nn.Conv2d(d, c, 1)
        self.at_eighth = Residual(c, 1)
        self.to_quarter = nn.Conv2d(c, b, 1)
        self.at_quarter = nn.Sequential(Residual(b, 1), nn.Conv2d(b, MAPS, 3, 1, 1))
        self.larger = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False)

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """(batch, 3, H, W), H and W multiples of 32 -> (batch, 2, H / 4, W / 4), logits."""
        quarter = self.quarter(self.first(pictures))
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        y = self.at_sixteenth(sixteenth + self.larger(self.to_sixteenth(self.last(sixteenth))))
        y = self.at_eighth(eighth + self.larger(self.to_eighth(y)))
        return self.at_quarter(quarter + self.larger(self.to_quarter(y)))
