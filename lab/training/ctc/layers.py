"""Building blocks of both line networks."""

from torch import nn


def block(inputs, outputs, stride):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


def along(inputs, outputs, dilation, reach=5):
    """Looks left and right of a column."""
    return nn.Sequential(
        nn.Conv1d(inputs, outputs, reach, 1, reach // 2 * dilation, dilation=dilation, bias=False),
        nn.BatchNorm1d(outputs),
        nn.ReLU(inplace=True),
        nn.Dropout(0.1),
    )
