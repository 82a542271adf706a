"""The pictures in the outputs of notebooks: what they are called, and whether two look the same."""

import re
from base64 import b64decode
from html import unescape
from io import BytesIO

import numpy as np
from PIL import Image

_IMAGE = re.compile(r"<img\b[^>]*>")
_SOURCE = re.compile(r'src="data:image/png;base64,([^"]+)"')
_ALT = re.compile(r'alt="([^"]*)"')


def images(outputs) -> list[tuple[str, Image.Image]]:
    """Return the images that `outputs` show, each with its description ("" for none)."""
    found = []
    for output in outputs:
        for tag in _IMAGE.findall(output.get("data", {}).get("text/html", "")):
            alt, source = _ALT.search(tag), _SOURCE.search(tag)
            if source:
                image = Image.open(BytesIO(b64decode(source[1])))
                found.append((unescape(alt[1]) if alt else "", image))
    return found


def name_images(html):
    """Return `html` with the name of what it draws in place of each image.

    So outputs can be compared with other versions of matplotlib, where the pixels differ.
    """
    if not isinstance(html, str):
        return html

    def name(source):
        image = Image.open(BytesIO(b64decode(source[1])))
        return f'src="{image.info.get("Drawn", "unknown")}"'

    return _SOURCE.sub(name, html)


def look_the_same(stored: Image.Image, fresh: Image.Image) -> bool:
    """Return whether two images have the same pixels, as far as they can be compared.

    They can where one version of matplotlib drew both, unless what they show changes at each run.
    One pixel in ten thousand may differ, for other machines round differently.
    """
    if "Changes" in fresh.info or stored.info.get("Software") != fresh.info.get("Software"):
        return True
    if stored.size != fresh.size:
        return False
    one, other = (np.asarray(image.convert("RGB"), dtype=int) for image in (stored, fresh))
    differ = (abs(one - other) > 16).any(axis=2)
    return differ.mean() <= 0.0001
