// A text and a number of merges → the rows of the page: words, and their tokens.
"use strict";

const DRAWN = 2000; // characters: words that begin after them are worked out, and not drawn

const isOn = (row) => !byId(row).hidden;
const shownRows = () => Object.keys(ROWS).filter(isOn);

// Returns {text, n, words, drawn: how many of them, splits: row → word → its subwords}.
function analyze(text, n) {
  const words = pretokenize(text), drawn = countDrawn(words.map(({ length }) => length));
  const splits = {};
  for (const row of shownRows()) {
    const { vocabulary, split } = ROWS[row];
    splits[row] = new Map([...new Set(words)].map((word) => [word, split(START + word, vocabulary, n)]));
  }
  return { text, n, words, drawn, splits };
}

// Returns how many words of these lengths are drawn.
function countDrawn(lengths) {
  let drawn = 0;
  for (let room = DRAWN; drawn < lengths.length && room > 0; drawn++) room -= lengths[drawn];
  return drawn;
}

// Returns the tokens of a word in a row, as cells: {token: as it is written, subword: as it is in the
// vocabulary, start and end: where it is in the word}.
function cellsOf(shown, row, word) {
  const { write } = ROWS[row];
  const subwords = shown.splits[row].get(word);
  const tokens = write(subwords);
  const cells = [];
  let start = 0;
  for (const subword of subwords) {
    // ## notation has no token for a ▁ on its own.
    if (write === asTheyAre || subword !== START) {
      cells.push({ token: tokens[cells.length], subword, start, end: start + subword.length });
    }
    start += subword.length;
  }
  return cells;
}

// Draws all rows that are on. `before` is what was shown until now, if that was the same text:
// tokens that it did not have are marked. A ring is around those that the next merge changes. A merge
// takes `motion` milliseconds.
function drawRows(shown, before, motion) {
  const { words, drawn, splits } = shown;
  if (isOn("words")) {
    drawLine("words", wordBoxes(shown.text).slice(0, Math.max(1, drawn)).map((box) => ({
      key: [box.front, box.word, box.after].join("\n"), draw: () => drawBox(box),
    })));
  }
  for (const row of shownRows()) {
    const move = motion && prepareMotion(row, motion);
    drawLine(row, words.slice(0, drawn).map((word) => {
      const was = before?.splits[row] && new Set(cellsOf(before, row, word).map(({ token, start }) => start + token));
      const next = row === "gain" ? nextRanges(shown, word) : [];
      const cells = cellsOf(shown, row, word).map((cell) => ({
        ...cell,
        isChanged: was && !was.has(cell.start + cell.token),
        ring: next.findIndex(([start, end]) => cell.start < end && cell.end > start),
      }));
      const same = sameness(splits, word)[row];
      return {
        key: [word, same, ...cells.map(({ token, isChanged, ring }) => `${token} ${ring} ${isChanged}`)].join("\n"),
        draw: () => drawSplit(word, cells, same, row),
      };
    }));
    if (move) move();
  }
  drawCount(shown);
  drawDifferences(shown);
}

// Draws the words of a row. Each is {key: all that is shown of it, draw: returns that}; what is there
// already stays, as most does from one redraw to the next.
function drawLine(row, words) {
  const line = byId(row).querySelector(".line");
  const there = new Map(); // key → its columns, the first one last
  for (const column of [...line.children].reverse()) {
    if (!there.has(column.key)) there.set(column.key, []);
    there.get(column.key).push(column);
  }
  const columns = words.map(({ key, draw }) =>
    there.get(key)?.pop() ?? Object.assign(make("span", { class: "word" }, ...draw()), { key }));
  for (const gone of [...there.values()].flat()) gone.remove();
  let next = line.firstElementChild;
  for (const column of columns) {
    if (column === next) next = next.nextElementSibling;
    else line.insertBefore(column, next);
  }
  // A list box without options would be no list box.
  const list = { role: "listbox", "aria-label": `Tokens: ${byId(row).querySelector("h2, h3").textContent}`, "aria-orientation": "horizontal" };
  for (const [name, value] of Object.entries(list)) {
    if (line.querySelector("[role=option]")) line.setAttribute(name, value);
    else line.removeAttribute(name);
  }
  line.dir = byId("text").matches(":dir(rtl)") ? "rtl" : "ltr";
  return line;
}

// Returns where the next merge puts its token into a word, as [start, end] each.
function nextRanges({ n, stops }, word) {
  if (!stops.has(n + 1)) return [];
  const token = model.main.tokens[model.main.size(n)], ranges = [];
  let start = 0;
  for (const subword of encode(START + word, model.main, n + 1)) {
    if (subword === token) ranges.push([start, start + subword.length]);
    start += subword.length;
  }
  return ranges;
}

function drawSplit(word, cells, same, row) {
  const split = make("span", { class: "split w", role: "group" });
  split.setAttribute("aria-label", same === undefined ? cut(word) : `${cut(word)}, split differently`);
  if (same !== undefined) split.dataset.same = same;
  let into = split, ringed = -1;
  for (const [i, { token, subword, start, end, isChanged, ring }] of cells.slice(0, DRAWN).entries()) {
    const shown = makeToken(token, row === "bert" ? i === 0 : undefined);
    makeOption(shown, spoken(token, word));
    Object.assign(shown, { start, end });
    if (row === "gain") shown.dataset.id = ROWS[row].vocabulary.ids.get(subword) ?? "–";
    if (isChanged) shown.classList.add("changed");
    if (ring !== ringed) {
      into = ring < 0 ? split : make("span", { class: "ring", role: "presentation" });
      if (ring >= 0) split.append(into);
      ringed = ring;
    }
    into.append(shown);
  }
  if (cells.length > DRAWN) split.append("…");
  return [turn(split)];
}

// Makes a token one of a list, of which the keyboard reaches one at a time.
function makeOption(token, label) {
  const attributes = { role: "option", tabindex: -1, "aria-selected": false, ...(label && { "aria-label": label }) };
  for (const [name, value] of Object.entries(attributes)) token.setAttribute(name, value);
  return token;
}

// ---- Motion: two boxes become one

// Notes where the tokens of a row are, and returns what lets them go from there to where they are then.
function prepareMotion(row, duration) {
  const line = byId(row).querySelector(".line");
  if (line.querySelectorAll(".token").length > 400) return null;
  const places = () => {
    const { left, top } = line.getBoundingClientRect();
    return [...line.children].map((column) => Array.from(column.querySelectorAll(".token"), (token) => {
      const box = token.getBoundingClientRect();
      return { token, start: token.start, end: token.end, x: box.left - left, y: box.top - top, width: box.width };
    }));
  };
  const before = places();
  return () => {
    let ghosts = byId(row).querySelector(".ghosts");
    if (!ghosts) byId(row).append(ghosts = make("div", { class: "ghosts", "aria-hidden": true }));
    ghosts.replaceChildren();
    Object.assign(ghosts.style, { left: `${line.offsetLeft}px`, top: `${line.offsetTop}px` });
    const timing = { duration, easing: "cubic-bezier(.3, 0, .2, 1)" };
    places().forEach((cells, i) => cells.forEach(({ token, x, y, width, start, end }) => {
      const parts = (before[i] ?? []).filter((part) => part.start >= start && part.end <= end);
      if (parts.length < 2) {
        const from = parts[0] ?? before[i]?.find((part) => part.start <= start && part.end >= end);
        if (from && (from.x !== x || from.y !== y)) {
          token.animate([{ transform: `translate(${from.x - x}px, ${from.y - y}px)` }, { transform: "none", offset: 0.6 }, {}], timing);
        }
        return;
      }
      token.animate([{ opacity: 0 }, { opacity: 0, offset: 0.55 }, { opacity: 1, offset: 0.6 }, {}], timing);
      const room = width / parts.reduce((sum, part) => sum + part.width, 0);
      for (const part of parts) {
        const ghost = make("span", { class: part.token.className.replace("token", "ghost") }, part.token.textContent);
        Object.assign(ghost.style, { left: `${part.x}px`, top: `${part.y}px` });
        ghosts.append(ghost);
        const there = `translate(${x - part.x}px, ${y - part.y}px)`;
        ghost.animate([{ transform: "none" }, { transform: there, opacity: 1, offset: 0.6 }, { transform: there, opacity: 0 }], timing)
          .onfinish = () => ghost.remove();
        x += part.width * room;
      }
    }));
  };
}

// ---- Tokens and characters

function spoken(token, word) {
  if (token === UNKNOWN) return `${UNKNOWN}, unknown: ${cut(word)}`;
  if (token === START) return "start of word";
  if (token.startsWith(START)) return `${token.slice(START.length)}, starts a word`;
  const isContinuation = token.startsWith(CONTINUATION) && token !== CONTINUATION;
  return isContinuation ? `${token.slice(CONTINUATION.length)}, continues a word` : token;
}

// What is shown, or read aloud, of a word that may be very long.
function cut(word, length = 100) {
  return word.length > length ? `${word.slice(0, length)}…` : word;
}

// Returns the words with the whitespace at them: [{front, word, after}]. Only the first one can
// have some in front; a text of whitespace alone has one without a word.
function wordBoxes(text) {
  const boxes = [];
  let front = "";
  for (const { text: part, isWord } of wordsAndSpaces(text)) {
    if (isWord) boxes.push({ front: boxes.length ? "" : front, word: part, after: "" });
    else if (boxes.length) boxes.at(-1).after = part;
    else front = part;
  }
  return boxes.length ? boxes : [{ front, word: "", after: "" }];
}

// The text itself: a word in its box, and whitespace that can be seen.
function drawBox({ front, word, after }) {
  const draw = (text, drawOne) => {
    const drawn = make("span", {});
    drawn.append(...Array.from(text.slice(0, DRAWN), drawOne), text.length > DRAWN ? "…" : "");
    return drawn;
  };
  const pretoken = draw(word, drawCharacter);
  pretoken.className = "pretoken";
  return [draw(front, drawSpace), ...(word ? [pretoken] : []), draw(after, drawSpace)];
}

function drawSpace(char) {
  const space = make("span", { class: "space", title: codeOf(char) }, SPACES[char] ?? codeOf(char));
  if (SPACES[char]) space.setAttribute("aria-hidden", true);
  else space.classList.add("code");
  return space;
}

function drawCharacter(char) {
  if (!isUnknown(char)) return char;
  const title = char === START ? "a ▁ in the text" : `${codeOf(char)} is not in ${model.name}`;
  const isCode = isShownAsCode(char);
  const shown = make("span", { class: "unknown-character", title }, isCode ? codeOf(char) : char);
  if (isCode) shown.classList.add("code");
  return shown;
}

function isUnknown(char) {
  return char === START || !model.main.has(char, 0);
}

// ---- Numbers

function drawCount({ words, drawn, splits }) {
  const tokens = words.reduce((sum, word) => sum + splits.gain.get(word).length, 0);
  const rest = words.length - drawn;
  byId("count").replaceChildren(
    make("strong", {}, withCommas(tokens)), tokens === 1 ? " token" : " tokens",
    ` · ${plural(words.length, "word")}`,
    rest ? `, of which the last ${withCommas(rest)} are not drawn` : "");
}

// Numbers the ways in which the rows split a word: row → number; {} where all do it alike.
function sameness(splits, word) {
  const ways = [], same = {};
  for (const row of Object.keys(splits)) {
    const spelled = splits[row].get(word).join(" ");
    if (!ways.includes(spelled)) ways.push(spelled);
    same[row] = ways.indexOf(spelled);
  }
  return ways.length > 1 ? same : {};
}

function drawDifferences({ words, splits }) {
  const line = byId("differences");
  const others = Object.keys(splits).filter((row) => row !== "gain" && row !== "bert");
  const ways = others.length ? words.map((word) => sameness(splits, word)) : [];
  if (!others.length || !words.length) {
    line.textContent = "";
  } else if (!ways.some((same) => same.gain !== undefined)) {
    line.textContent = "All rows split every word the same way.";
  } else {
    const told = others.map((row) => {
      const count = ways.filter((same) => same[row] !== same.gain).length;
      return `“${byId(row).querySelector("h2").textContent}” splits ${count || "none"} differently`;
    });
    const key = ["one way", "another", "a third"].map((name, i) =>
      make("span", { class: "key", "data-same": i }, name));
    line.replaceChildren(
      `Of ${plural(words.length, "word")}, ${told.join(", and ")}. `,
      "Words with the same line are split the same way: ", key[0], ", ", key[1], ", ", key[2], ".");
  }
}

// What is known of a token of a row after n merges: {id, count, merge}; null for what it has not.
function facts(row, { token, subword }, n) {
  const { vocabulary } = ROWS[row];
  const id = vocabulary.ids.get(subword);
  return {
    id: row === "bert" ? vocabulary.bertIds(n).get(token) : id ?? null,
    count: id === undefined ? null : vocabulary.counts(n)[id] ?? null,
    merge: id === undefined ? null : vocabulary.mergeOf(subword),
  };
}

function whyUnknown(word) {
  const chars = [...new Set(word)].filter(isUnknown);
  const shown = chars.slice(0, 5).map((char) => (isShownAsCode(char) ? codeOf(char) : char));
  if (chars.length > shown.length) shown.push("…");
  return `not in ${model.name}: ${shown.join(" ")}`;
}
