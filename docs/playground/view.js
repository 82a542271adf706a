// A text and a number of merges → the rows of the page: words, and their tokens.
"use strict";

const byId = (id) => document.getElementById(id);

// Returns an element: make("span", {class: "token"}, "text", child, …).
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Returns what is shown, word by word: [{word, rows: {gain: [cell, …], …}, same}].
//
// A cell is a token of a row: {token: as it is written, subword: the token behind it, start: its
// place in the word}. `same` gives each row a number, and two rows the same one where they split
// the word in the same way; it is null where all do.
function analyze(text, n) {
  return pretokenize(text).map((word) => {
    const rows = {};
    const splits = [];
    const same = {};
    for (const [row, { vocabulary, split, write }] of Object.entries(ROWS)) {
      const subwords = split(START + word, vocabulary, n);
      rows[row] = toCells(subwords, write);
      const spelled = subwords.join(" ");
      if (!splits.includes(spelled)) splits.push(spelled);
      same[row] = splits.indexOf(spelled);
    }
    return { word, rows, same: splits.length > 1 ? same : null };
  });
}

function toCells(subwords, write) {
  const tokens = write(subwords);
  const cells = [];
  let start = 0;
  for (const subword of subwords) {
    // BERT's writing has no token for a ▁ on its own.
    const isWritten = write !== toBert || subword !== START;
    if (isWritten) cells.push({ token: tokens[cells.length], subword, start });
    start += subword.length;
  }
  return cells;
}

// Draws all rows. `before` is what was shown until now, if that was the same text: tokens that it
// did not have are marked.
function drawRows(text, words, before) {
  const boxes = wordBoxes(text);
  const widths = words.map(({ rows }, i) =>
    Math.max(boxWidth(boxes[i]), ...Object.values(rows).map(rowWidth)));
  drawLine("words", boxes.map((box, i) => ({
    key: [box.front, box.word, box.after].join("\n"),
    width: widths[i] ?? 0,
    draw: () => drawBox(box),
  })));
  for (const row of Object.keys(ROWS)) {
    const line = drawLine(row, words.map((word, i) => {
      const cells = markChanges(word.rows[row], before?.[i].rows[row]);
      const same = word.same?.[row] ?? "";
      return {
        key: [word.word, same, ...cells.map(({ token, isChanged }) => token + (isChanged ? "*" : ""))].join("\n"),
        width: widths[i],
        draw: () => drawSplit(word.word, cells, same),
      };
    }));
    // A list box without options would be no list box.
    const list = {
      role: "listbox",
      "aria-label": `Tokens: ${byId(row).querySelector("h2").textContent}`,
      "aria-orientation": "horizontal",
    };
    for (const [name, value] of Object.entries(list)) {
      if (words.length) line.setAttribute(name, value);
      else line.removeAttribute(name);
    }
  }
  drawDifferences(words);
}

// Draws the words of a row. Each is {key: all that is shown of it, width, draw: returns that}; what
// is there already stays, as most does from one redraw to the next. A word is as wide in every
// row, so that its tokens stand below each other.
function drawLine(row, words) {
  const line = byId(row).querySelector(".line");
  const there = new Map(); // key → its columns, the first one last
  for (const column of [...line.children].reverse()) {
    if (!there.has(column.key)) there.set(column.key, []);
    there.get(column.key).push(column);
  }
  const columns = words.map(({ key, width, draw }) => {
    const column = there.get(key)?.pop() ?? Object.assign(make("span", { class: "word" }, ...draw()), { key });
    if (column.width !== width) {
      column.width = width;
      column.style.minWidth = `min(100%, ${width.toFixed(1)}ch)`;
    }
    return column;
  });
  for (const gone of [...there.values()].flat()) gone.remove();
  let next = line.firstElementChild;
  for (const column of columns) {
    if (column === next) next = next.nextElementSibling;
    else line.insertBefore(column, next);
  }
  return line;
}

const PADDING = 1.2; // of a token, in characters; style.css has it as well

function rowWidth(cells) {
  return cells.reduce((width, { token }) => width + token.length + PADDING, 0);
}

// In characters of the font. Those beyond Latin may be twice as wide.
function boxWidth({ front, word, after }) {
  const width = (char) => (isShownAsCode(char) ? 5 : char < "\u0250" ? 1 : 2.2);
  return Array.from(front + word + after, width).reduce((sum, one) => sum + one, PADDING);
}

// Returns the cells, with isChanged where the ones before do not have that token there.
function markChanges(cells, before) {
  return cells.map((cell) => ({
    ...cell,
    isChanged: before && !before.some(({ token, start }) => token === cell.token && start === cell.start),
  }));
}

function drawSplit(word, cells, same) {
  const split = make("span", { class: "split", role: "group" });
  split.setAttribute("aria-label", same === "" ? word : `${word}, split differently`);
  if (same !== "") split.dataset.same = same;
  cells.forEach(({ token, isChanged }, i) => {
    const attributes = {
      class: "token", role: "option", "data-token": token, "data-tint": i % 4,
      tabindex: -1, "aria-selected": false, "aria-label": spoken(token, word),
    };
    const shown = make("span", attributes, ...withMark(token));
    if (token === UNKNOWN) shown.classList.add("unknown");
    if (isChanged) shown.classList.add("changed");
    split.append(shown);
  });
  return [split];
}

// The token in two parts: ▁ or ##, which is set back, and the rest.
function withMark(token) {
  const mark = [START, CONTINUATION].find((mark) => token.startsWith(mark));
  if (!mark || token === mark) return [token];
  return [make("span", { class: "mark" }, mark), token.slice(mark.length)];
}

function spoken(token, word) {
  if (token === UNKNOWN) return `${UNKNOWN}, unknown: ${word}`;
  if (token === START) return "start of word";
  if (token.startsWith(START)) return `${token.slice(START.length)}, starts a word`;
  const isContinuation = token.startsWith(CONTINUATION) && token !== CONTINUATION;
  return isContinuation ? `${token.slice(CONTINUATION.length)}, continues a word` : token;
}

// Returns the words with the white space at them: [{front, word, after}]. Only the first one can
// have some in front; a text of white space alone has one without a word.
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

// The text itself: a word in its box, and white space that can be seen.
function drawBox({ front, word, after }) {
  const pretoken = make("span", { class: "pretoken" }, ...Array.from(word, drawCharacter));
  return [...Array.from(front, drawSpace), ...(word ? [pretoken] : []), ...Array.from(after, drawSpace), " "];
}

const SPACES = { " ": "·", "\n": "↵", "\t": "→", "\u00a0": "⍽" };

function drawSpace(char) {
  const space = make("span", { class: "space", title: codeOf(char) }, SPACES[char] ?? codeOf(char));
  if (SPACES[char]) space.setAttribute("aria-hidden", true);
  else space.classList.add("code");
  return space;
}

function drawCharacter(char) {
  if (!isUnknown(char)) return char;
  const title = char === START ? "a ▁ of the text" : `${codeOf(char)} is not in Homer`;
  const isCode = isShownAsCode(char);
  const shown = make("span", { class: "unknown-character", title }, isCode ? codeOf(char) : char);
  if (isCode) shown.classList.add("code");
  return shown;
}

function isUnknown(char) {
  return char === START || !GAIN.has(char, 0);
}

// Whether a character could not be seen. Only for showing it: the tokens do not depend on this.
function isShownAsCode(char) {
  if (SPACES[char]) return false;
  return /^[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]$/u.test(char);
}

function codeOf(char) {
  return `U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function drawDifferences(words) {
  const count = (one, other) => words.filter(({ same }) => same && same[one] !== same[other]).length;
  const scores = count("gain", "frequency"), ways = count("frequency", "bpe");
  if (!words.some(({ same }) => same)) {
    byId("differences").textContent = words.length ? "All rows split every word in the same way." : "";
    return;
  }
  const key = ["one way", "another", "a third"].map((name, i) =>
    make("span", { class: "key", "data-same": i }, name));
  byId("differences").replaceChildren(
    `Of ${plural(words.length, "word")}, ${scores || "none"} ${scores > 1 ? "are" : "is"} split differently `,
    `by gain and by frequency, and ${ways || "none"} by longest match and by replaying. `,
    "Underlined in the same way, a word is split in the same way: ",
    key[0], ", ", key[1], ", ", key[2], ".");
}

function plural(number, noun) {
  return `${withCommas(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function withCommas(number, digits = 0) {
  const [whole, rest] = number.toFixed(digits).replace("-", "−").split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return rest ? `${grouped}.${rest}` : grouped;
}

// What is known of a token of a row after n merges: {id, count, merge}; null for what it has not.
function facts(row, { token, subword }, n) {
  const { vocabulary } = ROWS[row];
  const id = vocabulary.ids.get(subword);
  return {
    id: row === "bert" ? vocabulary.bertIds(n).get(token) : id ?? null,
    count: id === undefined ? null : vocabulary.counts(n)[id],
    merge: id === undefined ? null : vocabulary.mergeOf(subword),
  };
}

// Fills the note that hovers at a token.
function drawTip(tip, row, cell, word, n) {
  const { id, count, merge } = facts(row, cell, n);
  const lines = [make("strong", {}, cell.token)];
  if (id !== null) lines.push(`id ${withCommas(id)}`);
  if (cell.token === UNKNOWN) {
    lines.push(whyUnknown(word));
  } else {
    lines.push(`${withCommas(count)} × in Homer`, merge ? `merge ${withCommas(merge.number)}` : "a character");
  }
  tip.replaceChildren(...lines.map((line) => make("span", {}, line)));
}

function whyUnknown(word) {
  const chars = [...new Set(word)].filter(isUnknown);
  const shown = chars.slice(0, 5).map((char) => (isShownAsCode(char) ? codeOf(char) : char));
  if (chars.length > shown.length) shown.push("…");
  return `not in Homer: ${shown.join(" ")}`;
}
