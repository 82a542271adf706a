"""How far apart two colors look, to the color vision of most people and of others.

The difference is CIEDE2000 (Sharma, Wu and Dalal 2005, https://doi.org/10.1002/col.20070); the
simulations are those of Machado, Oliveira and Fernandes 2009
(https://doi.org/10.1109/TVCG.2009.113), at their strongest.
"""

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

VISIONS = {
    "common": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
    "gray": [[0.2126, 0.7152, 0.0722]] * 3,
}
_XYZ = [
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
]
_WHITE = 0.95047, 1.0, 1.08883


def to_lab(color: str, vision: str) -> tuple[float, float, float]:
    """Return L*, a* and b* of `color` ("#rrggbb") as `vision` sees it."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    seen = [min(1.0, max(0.0, value)) for value in _times(VISIONS[vision], linear)]
    x, y, z = (
        value ** (1 / 3) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116
        for value in (xyz / white for xyz, white in zip(_times(_XYZ, seen), _WHITE))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """Return CIEDE2000 between two colors in L*, a* and b*."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    c7 = ((hypot(a1, b1) + hypot(a2, b2)) / 2) ** 7
    stretch = 1 + 0.5 * (1 - sqrt(c7 / (c7 + 25**7)))
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = 1 - 0.17 * cos(radians(hue - 30)) + 0.24 * cos(radians(2 * hue))
    t += 0.32 * cos(radians(3 * hue + 6)) - 0.20 * cos(radians(4 * hue - 63))
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * t)
    turned = sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    rotation = -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * turned
    return sqrt(dl**2 + dc**2 + dh**2 + rotation * dc * dh)


def _times(matrix: list[list[float]], vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]
