// What the reader does → what the page shows: the sentence, the slider, play, the chosen token; and
// the address, which holds the sentence and the number of merges.
"use strict";

const DEFAULT_TEXT = "The strangers wandered homeward, careless of the weather!";
const DEFAULT_MERGES = 200;

const state = {
  text: DEFAULT_TEXT,
  n: DEFAULT_MERGES,
  words: [], // what analyze() gave
  chosen: null, // {row, word: its index, start: where in the word}
  timer: null, // of play
};

// ---- The address

function readAddress() {
  const asked = new URLSearchParams(location.search);
  state.text = asked.get("text") ?? DEFAULT_TEXT;
  const merges = asked.get("merges") ?? "";
  state.n = /^\d+$/.test(merges) ? Math.min(Number(merges), MAX_MERGES) : DEFAULT_MERGES;
}

// A lone surrogate has no place in an address and becomes U+FFFD, which has the same tokens.
let addressTimer;
function keepAddress() {
  clearTimeout(addressTimer);
  // Browsers allow few changes a second.
  addressTimer = setTimeout(() => {
    const asked = new URLSearchParams({ merges: state.n, text: state.text });
    history.replaceState(null, "", `?${asked}`);
  }, 150);
}

// ---- Drawing

// `isStep`: whether to mark the tokens that change.
function show({ text = state.text, n = state.n, isStep = false } = {}) {
  const hadFocus = byId("rows").contains(document.activeElement);
  const before = isStep ? state.words : null;
  const wordBefore = state.words[state.chosen?.word]?.word;
  Object.assign(state, { text, n, words: analyze(text, n) });
  hideTip();
  drawRows(text, state.words, before);
  if (state.words[state.chosen?.word]?.word !== wordBefore || !state.chosen) chooseLongest();
  drawSlider();
  drawNextMerges();
  drawChosen();
  if (hadFocus) chosenElement()?.focus({ preventScroll: true });
  keepAddress();
}

function drawSlider() {
  const { n } = state;
  byId("merges").value = n;
  byId("merges").setAttribute("aria-valuetext", plural(n, "merge"));
  if (document.activeElement !== byId("number")) byId("number").value = n;
  byId("merges").parentElement.style.setProperty("--place", toPlace(n));
  byId("back").disabled = n === 0;
  byId("next").disabled = n === MAX_MERGES;
}

function drawNextMerges() {
  const rows = [[GAIN, ["gain"]], [FREQUENCY, ["frequency", "bpe"]]].map(([vocabulary, ways]) => {
    const { score } = vocabulary;
    const name = make("dt", {}, `Next by ${score}`);
    if (state.n >= vocabulary.merges.length) {
      return [name, make("dd", {}, "no pair is left: every word of Homer is one token")];
    }
    const { x, y, token, count, gain } = vocabulary.merge(state.n);
    const tokens = [x, y, token].map((one, i) => make("span", { class: "name", "data-tint": i }, ...withMark(one)));
    const worth = score === "gain"
      ? `gain ${withCommas(gain, 1)}, ${withCommas(count)} × in Homer`
      : `${withCommas(count)} × in Homer`;
    const merge = make("span", { class: "merge" }, tokens[0], " + ", tokens[1], " → ", tokens[2]);
    return [name, make("dd", {}, merge, make("span", { class: "worth" }, worth), drawChanges(ways, state.n))];
  });
  byId("next-merges").replaceChildren(...rows.flat());
}

// Says which tokens of the sentence the next merge changes; and in which row, where two that make
// the same merge use it differently.
function drawChanges(rows, n) {
  let said = rows.map((row) => ({ way: WAYS[row], told: tell(changes(row, n)) }));
  if (said.every(({ told }) => told === said[0].told)) said = [{ way: "", told: said[0].told }];
  said = said.filter(({ told }) => told);
  const line = make("span", { class: "changes" }, said.length ? "changes " : "changes nothing in the sentence");
  said.forEach(({ way, told }, i) => line.append(i ? "; " : "", way, make("span", { class: "spelled" }, told)));
  return line;
}

const WAYS = { frequency: "by longest match ", bpe: "by replaying " };

function tell(changes) {
  const told = changes.map(([before, after]) => `${before.join(" ")} → ${after.join(" ")}`);
  const more = told.length > 3 ? ` and ${told.length - 3} more` : "";
  return told.slice(0, 3).join(", ") + more;
}

// Returns [tokens before, tokens after] of each word of the sentence that merge n + 1 changes.
function changes(row, n) {
  const { vocabulary, split } = ROWS[row];
  if (n >= vocabulary.merges.length) return [];
  const { token } = vocabulary.merge(n);
  // Without the new token in it, a word stays as it is.
  const words = new Set(state.words.map(({ word }) => START + word).filter((word) => word.includes(token)));
  return [...words]
    .map((word) => [split(word, vocabulary, n), split(word, vocabulary, n + 1)])
    .filter(([before, after]) => before.length !== after.length || before.some((one, i) => one !== after[i]));
}

function changesAnything(n) {
  return ["gain", "frequency", "bpe"].some((row) => changes(row, n).length);
}

// ---- The chosen token

function chooseLongest() {
  let best = null;
  state.words.forEach(({ rows }, word) => {
    for (const { token, subword, start } of rows.gain) {
      if (token !== UNKNOWN && subword.length > (best?.length ?? 0)) best = { row: "gain", word, start, length: subword.length };
    }
  });
  state.chosen = best ?? (state.words.length ? { row: "gain", word: 0, start: 0 } : null);
}

// Where the chosen character is now: {cell, index of the cell, word}.
function chosenCell() {
  if (!state.chosen) return null;
  const { row, word, start } = state.chosen;
  const cells = state.words[word].rows[row];
  let index = cells.findLastIndex((cell) => cell.start <= start);
  if (index < 0) index = 0;
  return { cell: cells[index], index, word: state.words[word].word };
}

function chosenElement() {
  if (!state.chosen) return null;
  const word = byId(state.chosen.row).querySelectorAll(".split")[state.chosen.word];
  return word.querySelectorAll(".token")[chosenCell().index];
}

// Marks the chosen token, and lets the Tab key stop once in each row.
function drawChosen() {
  for (const row of Object.keys(ROWS)) {
    const line = byId(row).querySelector(".line");
    for (const token of line.querySelectorAll("[aria-selected=true]")) token.setAttribute("aria-selected", false);
    for (const token of line.querySelectorAll("[tabindex='0']")) token.tabIndex = -1;
    const first = line.querySelector(".token");
    if (first && row !== state.chosen?.row) first.tabIndex = 0;
  }
  const element = chosenElement();
  element?.setAttribute("aria-selected", true);
  if (element) element.tabIndex = 0;
  const chosen = chosenCell();
  drawTreeOf(state.chosen?.row, chosen?.cell, chosen?.word);
}

function placeOf(token) {
  const row = token.closest(".row").id;
  const column = token.closest(".word");
  const word = [...column.parentElement.children].indexOf(column);
  const cell = state.words[word].rows[row][[...token.parentElement.children].indexOf(token)];
  return { row, word, cell };
}

function choose(token) {
  const { row, word, cell } = placeOf(token);
  state.chosen = { row, word, start: cell.start };
  drawChosen();
}

function onTokenKey(event) {
  const token = event.target.closest(".token");
  if (!token) return;
  const { row, word } = placeOf(token);
  const tokens = [...byId(row).querySelectorAll(".token")];
  const at = tokens.indexOf(token);
  const names = Object.keys(ROWS);
  const neighbor = (step) => {
    const other = byId(names[names.indexOf(row) + step]);
    return other?.querySelectorAll(".split")[word].querySelector(".token");
  };
  const target = {
    ArrowLeft: () => tokens[at - 1],
    ArrowRight: () => tokens[at + 1],
    Home: () => tokens[0],
    End: () => tokens.at(-1),
    ArrowUp: () => neighbor(-1),
    ArrowDown: () => neighbor(1),
    Enter: () => token,
    " ": () => token,
  }[event.key];
  if (!target) return;
  event.preventDefault();
  target()?.focus();
}

// ---- The note at a token

let tipTimer;
function showTip(token) {
  clearTimeout(tipTimer);
  const tip = byId("tip");
  const { row, word, cell } = placeOf(token);
  drawTip(tip, row, cell, state.words[word].word, state.n);
  tip.hidden = false;
  for (const other of document.querySelectorAll("[aria-describedby=tip]")) other.removeAttribute("aria-describedby");
  token.setAttribute("aria-describedby", "tip");
  const box = token.getBoundingClientRect();
  const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
  tip.style.left = `${scrollX + Math.max(8, Math.min(box.left, room))}px`;
  tip.style.top = `${scrollY + box.bottom}px`;
}

function hideTip() {
  clearTimeout(tipTimer);
  byId("tip").hidden = true;
}

// Not at once, so that the pointer can reach the note.
function hideTipSoon() {
  clearTimeout(tipTimer);
  tipTimer = setTimeout(hideTip, 200);
}

// ---- The slider: its value is the number of merges, its places are logarithmic

function toPlace(n) {
  return Math.log(n + 1) / Math.log(MAX_MERGES + 1);
}

function fromPlace(place) {
  return Math.round((MAX_MERGES + 1) ** Math.min(1, Math.max(0, place)) - 1);
}

function goTo(n, isStep = false) {
  stop();
  show({ n: Math.min(MAX_MERGES, Math.max(0, n)), isStep });
}

function step(by) {
  goTo(state.n + by, true);
  tellStatus();
}

// Browsers would put places evenly, so the pointer is followed here.
function followPointer(slider) {
  const follow = (event) => {
    const { left, width } = slider.getBoundingClientRect();
    goTo(fromPlace((event.clientX - left) / width));
  };
  slider.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    slider.focus();
    slider.setPointerCapture(event.pointerId);
    follow(event);
  });
  slider.addEventListener("pointermove", (event) => {
    if (slider.hasPointerCapture(event.pointerId)) follow(event);
  });
  slider.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
}

function onSliderKey(event) {
  const by = { PageUp: 0.05, PageDown: -0.05 }[event.key];
  if (!by) return;
  event.preventDefault();
  goTo(fromPlace(toPlace(state.n) + by));
}

// ---- Play

// From merge to merge. It stays with those that change the sentence, and passes quickly over the
// others: the further, the more of them at once, as the slider is logarithmic. Where motion is to be
// reduced, it passes over them all in one step.
function play() {
  if (state.n === MAX_MERGES) show({ n: 0 });
  byId("play").textContent = "Pause";
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const beat = () => {
    let { n } = state;
    const furthest = calm ? MAX_MERGES : Math.min(MAX_MERGES, n + 1 + Math.floor(n / 50));
    let isChange;
    do isChange = changesAnything(n++);
    while (!isChange && n < furthest);
    show({ n, isStep: true });
    if (n === MAX_MERGES) stop();
    else state.timer = setTimeout(beat, isChange ? (calm ? 1500 : 900) : 60);
  };
  state.timer = setTimeout(beat, 0);
}

function stop() {
  if (state.timer === null) return;
  clearTimeout(state.timer);
  state.timer = null;
  byId("play").textContent = "Play";
  tellStatus();
}

// For screen readers, where the reader has stopped.
function tellStatus() {
  const next = Array.from(byId("next-merges").querySelector("dd").childNodes, (part) => part.textContent).join("; ");
  byId("status").textContent = `${plural(state.n, "merge")}. Next by gain: ${next}`;
}

// ---- Start

function start() {
  if (typeof DATA === "undefined") {
    byId("missing").hidden = false;
    return;
  }
  const tip = make("div", { id: "tip", role: "tooltip", hidden: "" });
  document.querySelector("main").append(tip);
  byId("merges").max = byId("number").max = MAX_MERGES;
  byId("corpus").textContent =
    `: ${withCommas(DATA.occurrences)} words, ${withCommas(DATA.words)} different ones`;
  if (DATA.home) {
    byId("home").querySelector("a").href = DATA.home;
    byId("home").hidden = false;
  }
  for (const n of [0, 1, 10, 100, 1000, 10000]) {
    const tick = make("span", {}, withCommas(n));
    tick.style.setProperty("--place", toPlace(n));
    byId("merges").parentElement.querySelector(".ticks").append(tick);
  }

  byId("text").addEventListener("input", () => show({ text: byId("text").value }));
  byId("merges").addEventListener("input", () => goTo(byId("merges").valueAsNumber));
  byId("merges").addEventListener("keydown", onSliderKey);
  followPointer(byId("merges"));
  byId("number").addEventListener("input", () => {
    if (byId("number").validity.valid && byId("number").value) goTo(byId("number").valueAsNumber);
  });
  byId("number").addEventListener("blur", () => { byId("number").value = state.n; });
  byId("play").addEventListener("click", () => (state.timer === null ? play() : stop()));
  byId("back").addEventListener("click", () => step(-1));
  byId("next").addEventListener("click", () => step(1));

  const rows = byId("rows");
  const onToken = (act) => (event) => {
    const token = event.target.closest(".token");
    if (token) act(token);
  };
  rows.addEventListener("click", onToken((token) => token.focus()));
  rows.addEventListener("focusin", onToken((token) => { choose(token); showTip(token); }));
  rows.addEventListener("focusout", hideTip);
  rows.addEventListener("keydown", onTokenKey);
  rows.addEventListener("pointerover", onToken(showTip));
  rows.addEventListener("pointerout", hideTipSoon);
  tip.addEventListener("pointerover", () => clearTimeout(tipTimer));
  tip.addEventListener("pointerout", hideTipSoon);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });

  readAddress();
  byId("text").value = state.text;
  document.querySelector("main").hidden = false;
  show();
  performance.mark("ready");
}

start();
