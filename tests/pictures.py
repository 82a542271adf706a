"""The pictures in the outputs of notebooks: find them, name them, and compare two."""

import re
from base64 import b64decode
from html import unescape
from io import BytesIO

import numpy as np
from PIL import Image

_IMAGE = re.compile(r'<img\b[^>]*alt="([^"]*)" src="data:image/png;base64,([^"]+)"')


def images(outputs) -> list[tuple[str, Image.Image]]:
    """Return the images in `outputs`, each with its description."""
    html = "".join(output.get("data", {}).get("text/html", "") for output in outputs)
    return [(unescape(alt), _opened(source)) for alt, source in _IMAGE.findall(html)]


def name_images(html):
    """Return `html` with the digest of its drawing in place of each image.

    So outputs can be compared across versions of matplotlib, whose pixels differ.
    """
    if not isinstance(html, str):
        return html
    return _IMAGE.sub(lambda image: f"{image[1]}: {_opened(image[2]).info.get('Drawn')}", html)


def look_the_same(stored: Image.Image, fresh: Image.Image) -> bool:
    """Return whether two images have the same pixels, if they can be compared.

    They can if the same version of matplotlib drew both, and their content does not change at each
    run. One pixel in ten thousand may differ, because machines round differently.
    """
    if "Changes" in fresh.info or stored.info.get("Software") != fresh.info.get("Software"):
        return True
    if stored.size != fresh.size:
        return False
    one, other = (np.asarray(image.convert("RGB"), dtype=int) for image in (stored, fresh))
    return (abs(one - other) > 16).any(axis=2).mean() <= 0.0001


def _opened(source: str) -> Image.Image:
    return Image.open(BytesIO(b64decode(source)))
