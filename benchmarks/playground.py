"""Time how long the playground takes to appear and to redraw, in Chromium.

After `python docs/playground/make_data.py`, with Playwright and a Chromium on the machine:
`python benchmarks/playground.py`. The rows of all models whose lists are here are open. The times
are those of the processor for the page's thread (scripts, styles and layout), which other work on
the machine does not add to; beside the first one is the time on the clock.
"""

import shutil
from gzip import compress
from itertools import product
from pathlib import Path

from playwright.sync_api import CDPSession, sync_playwright

PAGE = Path(__file__).parents[1] / "docs" / "playground"
SENTENCE = "Sing, O goddess, the anger of Achilles son of Peleus, that brought countless ills; "
TEXTS = {
    "100 words": f"pretokenize(`{SENTENCE * 10}`).slice(0, 100).join(' ')",
    "20,000 characters": (
        "model.main.tokens.filter((token) => token[0] === START).join(' ')"
        ".replaceAll(START, '').slice(-20000)"
    ),
}
NUM_REDRAWS = 40
REDRAWS = {
    "one merge on": "show({ n: 200 + i, isStep: true })",
    "a character typed": "show({ text: text + ' shepherds of the people'.slice(0, i) })",
    "a word put in front": "show({ text: 'ships '.repeat(i % 2) + text })",
    "every word split anew": "show({ text, n: i % 2 ? 0 : 8000 })",
}


def main() -> None:
    """Print the sizes and the times."""
    for path in [PAGE / "index.html", PAGE / "style.css", *sorted(PAGE.glob("*.js"))]:
        content = path.read_bytes()
        print(f"{path.name:24}{len(content):>9,} bytes{len(compress(content)):>9,} compressed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for _ in range(5):
            page = browser.new_page()
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            page.goto((PAGE / "index.html").as_uri() + "?merges=200")
            clock = page.evaluate("performance.getEntriesByName('ready')[0].startTime")
            print(f"ready after {1000 * _busy(session):.0f} ms, {clock:.0f} ms on the clock")
        for (size, text), (name, redraw) in product(TEXTS.items(), REDRAWS.items()):
            page.evaluate(f"text = {text}; show({{ text, n: 200 }});")
            page.wait_for_function("Object.keys(MODELS).every((row) => byId(row).dataset.loaded)")
            page.wait_for_timeout(1_000)
            before = _busy(session)
            page.evaluate(
                f"""(async () => {{
                    const isDrawn = (row) => byId(row).shownText === state.text;
                    for (let i = 0; i < {NUM_REDRAWS}; i++) {{
                        {redraw};
                        document.body.getBoundingClientRect();  // the layout as well
                        while (!Object.keys(MODELS).every(isDrawn)) {{
                            await new Promise((resolve) => setTimeout(resolve, 5));
                        }}
                    }}
                }})()"""
            )
            time = 1000 * (_busy(session) - before) / NUM_REDRAWS
            print(f"{size}, {name}: {time:.1f} ms")
        browser.close()


def _busy(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")


if __name__ == "__main__":
    main()
