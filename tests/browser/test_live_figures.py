"""The live figures of notebooks 02 and 03 show the numbers of the notebooks' own outputs."""

import ast
import json
import re
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><main><h1>t</h1>
<div class="live-figure" data-figure="{}"></div></main><script src="live.js"></script>"""


def output(name: str, part: str) -> str:
    """What a saved notebook says below the cell that has `part` in its source or its output."""
    for cell in json.loads((NOTEBOOKS / name).read_text(encoding="utf-8"))["cells"]:
        outputs = cell.get("outputs", [])
        texts = ["".join(o.get("text") or o.get("data", {}).get("text/plain", "")) for o in outputs]
        if cell["cell_type"] == "code" and part in "".join([*cell["source"], *texts]):
            return "\n".join(texts)
    raise AssertionError(f"{name} has no {part}")


@pytest.fixture
def figure(page, folder, request):
    (folder / "live.html").write_text(PAGE.format(request.param), encoding="utf-8")
    page.goto((folder / "live.html").as_uri())
    page.wait_for_selector(".pairs li")
    return page


def pairs(figure) -> list[list[str]]:
    """The pairs that are shown, each with its counts and its gain."""
    return figure.evaluate(
        """[...document.querySelectorAll(".pairs li")].map(({ dataset: { x, y, counts, gain } }) =>
            [x, y, ...counts.split(","), gain])"""
    )


@pytest.mark.parametrize("figure", ["pairs"], indirect=True)
def test_the_pairs_are_those_of_notebook_02(figure):
    gains = output("02_pair_gains.ipynb", "gains = pair_gains(splits, toy)").strip()
    shown = {x + y: float(gain) for x, y, *_, gain in pairs(figure)}
    assert shown == ast.literal_eval(gains)
    for i, (x, y, Cxy, Cx, Cy, gain) in enumerate(pairs(figure)):
        figure.locator(".pairs button").nth(i).hover()
        assert figure.locator(".worked").inner_text() == (
            f"gain({x + y}) = {Cxy} · ln( {Cxy} · 35² / (27 · {Cx} · {Cy}) ) = {gain}"
        ).replace("= -", "= −")
        lit = figure.locator(".toy .left").all_inner_texts()
        assert set(lit) == {x} and set(figure.locator(".toy .right").all_inner_texts()) == {y}
        sea, seas, seat, eat, tea = figure.locator(".toy div").all()
        count = sum(
            n * line.locator(".left").count()
            for n, line in zip((3, 2, 1, 1, 1), (sea, seas, seat, eat, tea))
        )
        assert count == int(Cxy)


@pytest.mark.parametrize("figure", ["merges"], indirect=True)
def test_the_merges_are_those_of_notebook_03(figure):
    second = output("03_merge_training.ipynb", "'▁ + s'")
    after_four = output("03_merge_training.ipynb", "toy_merges[:4]")
    merged = ast.literal_eval(output("03_merge_training.ipynb", "len(toy_merges)").strip())
    made, of_ea = [], []
    on = figure.locator(".buttons button").last
    while on.is_enabled():
        made.append(on.inner_text().removeprefix("Merge ").replace(" + ", ""))
        on.click()
        gains = {f"{x} + {y}": float(gain) for x, y, *_, gain in pairs(figure)}
        if len(made) == 1:
            assert gains == ast.literal_eval(second[second.index("{") :])
        of_ea.append(gains.get("▁ + ea"))
    assert (len(made), made) == merged
    assert of_ea[:4] == [float(number) for number in re.findall(r"-?\d+\.\d{3}", after_four)]
    assert figure.get_by_text("Each word is one token").is_visible()
    figure.get_by_role("button", name="Back").click()
    assert [x + y for x, y, *_ in pairs(figure)] == made[-1:]
    counts = figure.locator(".tally li").all_inner_texts()
    assert [count.split() for count in counts][:3] == [["▁", "0"], ["s", "0"], ["e", "0"]]
