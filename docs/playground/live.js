// A figure in a notebook of the site: the five words of its toy corpus, with the counts and the gain
// of every pair; and, where data-figure is "merges", what becomes of them merge by merge.
"use strict";

const TOY = { sea: 3, seas: 2, seat: 1, eat: 1, tea: 1 };

// Returns [[word, count, its split], …] after some merges.
function splitToy(merges) {
  const split = (word) => merges.reduce((split, pair) => mergePair(pair, split), Array.from(START + word));
  return Object.entries(TOY).map(([word, count]) => [word, count, split(word)]);
}

// Returns {tokens: token → count, pairs: [{x, y, Cxy, Cx, Cy, gain}, …], the best first, N, M}.
function countToy(splits) {
  const tokens = new Map(), pairs = new Map();
  let [N, M] = [0, 0];
  for (const [, count, split] of splits) {
    split.forEach((token, i) => {
      tokens.set(token, (tokens.get(token) ?? 0) + count);
      N += count;
      if (!i) return;
      const key = `${split[i - 1]} ${token}`;
      if (!pairs.has(key)) pairs.set(key, { x: split[i - 1], y: token, Cxy: 0 });
      pairs.get(key).Cxy += count;
      M += count;
    });
  }
  const scored = [...pairs.values()].map(({ x, y, Cxy }) => {
    const [Cx, Cy] = [tokens.get(x), tokens.get(y)];
    return { x, y, Cxy, Cx, Cy, gain: Cxy * Math.log((Cxy * N * N) / (M * Cx * Cy)) };
  });
  return { tokens, pairs: scored.sort((a, b) => b.gain - a.gain), N, M }; // equal ones stay in order
}

function drawFigure(figure) {
  const canMerge = figure.dataset.figure === "merges", digits = canMerge ? 3 : 2;
  const highest = countToy(splitToy([])).pairs[0].gain;
  const merges = [];
  let toy, chosen;

  const words = make("div", { class: "toy" });
  const tally = make("ul", { class: "tally", "aria-label": "Count of each token" });
  const list = make("ol", { class: "pairs", "aria-label": "Pairs, best first" });
  const formula = make("p", { class: "worked", role: "status" });
  const [on, back] = ["", "Back"].map((text) => make("button", { type: "button" }, text));
  const steps = make("p", { class: "buttons" }, back, on);
  const column = (title, content) => make("div", {}, make("p", { class: "about" }, title), content);
  figure.classList.add("playground");
  const columns = [column("Words", words), column("Tokens", tally), column("Pairs, and their gains", list)];
  figure.append(...(canMerge ? [steps] : []), make("div", { class: "columns" }, ...columns), formula);

  function bar(element, share) {
    element.style.setProperty("--share", Math.max(0, share));
  }

  function choose(pair) {
    chosen = pair;
    const { x, y, Cxy, Cx, Cy, gain } = pair;
    words.replaceChildren(...splitToy(merges).map(([, count, split]) => make("div", {}, `${count} × `,
      ...split.map((token, i) => {
        const part = makeToken(token);
        if (token === x && split[i + 1] === y) part.classList.add("left");
        if (token === y && split[i - 1] === x) part.classList.add("right");
        return part;
      }))));
    for (const item of tally.children) item.classList.toggle("chosen", item.token === x || item.token === y);
    for (const item of list.children) item.classList.toggle("chosen", item.key === `${x} ${y}`);
    const number = (value) => make("b", {}, `${value}`);
    formula.replaceChildren(`gain(${x + y}) = `, number(Cxy), " · ln( ", number(Cxy), ` · ${toy.N}² / (${toy.M} · `,
      number(Cx), " · ", number(Cy), ") ) = ", make("strong", {}, withCommas(gain, digits)));
  }

  // Draws an item for each key; those that are there stay, and go to their new places.
  function drawList(parent, entries, drawOne) {
    const there = new Map([...parent.children].map((item) => [item.key, [item, item.offsetTop]]));
    parent.replaceChildren(...entries.map((entry) => {
      const item = there.get(entry.key)?.[0] ?? Object.assign(make("li"), { key: entry.key });
      drawOne(item, entry);
      return item;
    }));
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const item of parent.children) {
      const before = there.get(item.key)?.[1];
      const from = before === undefined ? { opacity: 0 } : { transform: `translateY(${before - item.offsetTop}px)` };
      if (there.size && before !== item.offsetTop) item.animate([from, {}], { duration: 600, easing: "ease-in-out" });
    }
  }

  function draw() {
    const splits = splitToy(merges);
    toy = countToy(splits);
    const known = [...new Set([..."▁seat", ...merges.map((pair) => pair.join(""))])];
    drawList(tally, known.map((key) => ({ key })), (item, { key }) => {
      const count = toy.tokens.get(key) ?? 0;
      item.token = key;
      item.replaceChildren(make("span", { class: "name" }, key), ` ${count}`);
      bar(item, count / 8);
    });
    drawList(list, toy.pairs.map((pair) => ({ key: `${pair.x} ${pair.y}`, ...pair })), (item, pair) => {
      const { x, y, Cxy, Cx, Cy, gain } = pair;
      Object.assign(item.dataset, { x, y, counts: [Cxy, Cx, Cy], gain: gain.toFixed(digits) });
      const button = item.querySelector("button") ?? make("button", { type: "button" });
      button.replaceChildren(make("span", { class: "name" }, `${x} + ${y}`), ` ${withCommas(gain, digits)}`);
      button.onclick = button.onfocus = button.onpointerenter = () => choose(pair);
      item.replaceChildren(button);
      bar(item, gain / highest);
    });
    back.disabled = !merges.length;
    on.disabled = !toy.pairs.length;
    on.textContent = toy.pairs.length ? `Merge ${toy.pairs[0].x} + ${toy.pairs[0].y}` : "No pair is left";
    if (toy.pairs.length) {
      choose(toy.pairs.find(({ x, y }) => x === chosen?.x && y === chosen?.y && !canMerge) ?? toy.pairs[0]);
    } else {
      choose({ x: "", y: "", Cxy: 0, Cx: 0, Cy: 0, gain: 0 });
      formula.textContent = "Each word is one token.";
    }
  }

  on.addEventListener("click", () => { merges.push([toy.pairs[0].x, toy.pairs[0].y]); draw(); });
  back.addEventListener("click", () => { merges.pop(); draw(); });
  draw();
}

// The page of a notebook asks for this file only; what it needs lies beside it.
{
  const folder = document.currentScript.src.replace(/[^/]*$/, "");
  const add = (name, attributes) => document.head.appendChild(Object.assign(document.createElement(name), attributes));
  add("link", { rel: "stylesheet", href: `${folder}style.css` });
  add("script", { src: `${folder}vocabularies.js`, async: false });
  add("script", { src: `${folder}draw.js`, async: false }).onload = () =>
    document.querySelectorAll(".live-figure").forEach(drawFigure);
}
