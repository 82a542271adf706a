// What the reader does → what the page shows: the sentence, the slider, play, the chosen token; and
// the address, which holds the sentence and the number of merges.
"use strict";

const DEFAULT_TEXT = "The strangers wandered homeward, careless of the weather!";
const DEFAULT_MERGES = 200;
const TOUCHES = ["pointerdown", "keydown", "input"];
const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;

const state = {
  text: DEFAULT_TEXT,
  n: DEFAULT_MERGES,
  shown: null, // what analyze() gave
  standing: new Map(), // row → what standing() gave
  chosen: null, // {row, word: its index, start: where in the word}
  timer: null, // of play
  isTouched: false, // by the reader; before, the address is left alone
};

// ---- The address

function readAddress() {
  const asked = new URLSearchParams(location.search);
  state.text = asked.get("text") ?? DEFAULT_TEXT;
  const merges = asked.get("merges") ?? "";
  state.n = /^\d+$/.test(merges) ? Math.min(Number(merges), maxMerges()) : DEFAULT_MERGES;
  return asked.has("merges");
}

// A lone surrogate has no place in an address and becomes U+FFFD, which has the same tokens. Merges of
// the reader's own text have no address.
let addressTimer;
function keepAddress() {
  clearTimeout(addressTimer);
  if (!state.isTouched) return;
  // Browsers allow few changes a second.
  addressTimer = setTimeout(() => {
    const asked = new URLSearchParams({ merges: state.n, text: state.text });
    history.replaceState(null, "", model === HOMER ? `?${asked}` : location.pathname);
  }, 150);
}

// ---- Drawing

// `isStep`: whether to mark the tokens that change; `motion`: how many milliseconds that takes.
function show({ text = state.text, n = state.n, isStep = false, motion = 0 } = {}) {
  const hadFocus = byId("rows").contains(document.activeElement) && document.activeElement.closest(".line");
  const before = isStep ? state.shown : null;
  const wordBefore = state.shown?.words[state.chosen?.word];
  if (text !== state.shown?.text) state.standing.clear();
  Object.assign(state, { text, n, shown: analyze(text, n) });
  hideTip();
  drawRows(state.shown, before, isCalm ? 0 : motion);
  if (state.shown.words[state.chosen?.word] !== wordBefore || !state.chosen) chooseLongest();
  drawSlider();
  drawNextMerges();
  drawChosen();
  if (byId("more")) drawMore(text);
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
  byId("next").disabled = n === maxMerges();
}

function drawNextMerges() {
  const ways = new Map(); // vocabulary → its rows
  for (const row of shownRows().filter((row) => row !== "bert")) {
    const { vocabulary } = ROWS[row];
    ways.set(vocabulary, [...(ways.get(vocabulary) ?? []), row]);
  }
  const rows = [...ways].map(([vocabulary, rows]) => {
    const name = make("dt", {}, `Next by ${vocabulary.score}`);
    if (state.n >= vocabulary.merges.length) return [name, make("dd", {}, "no merge is left")];
    const { x, y, token, count, gain } = vocabulary.merge(state.n);
    const tokens = [x, y, token].map((one, i) => make("span", { class: "name", "data-tint": i }, ...withMark(one)));
    const worth = [];
    if (gain !== undefined && vocabulary.score === "gain") worth.push(`gain ${withCommas(gain, 1)}`);
    if (count !== undefined) worth.push(`${withCommas(count)} × in ${model.name}`);
    const merge = make("span", { class: "merge" }, tokens[0], " + ", tokens[1], " → ", tokens[2]);
    return [name, make("dd", {}, merge, make("span", { class: "worth" }, worth.join(", ")), drawChanges(rows, state.n))];
  });
  byId("next-merges").replaceChildren(...rows.flat());
  const next = nextChange(state.n);
  byId("change").disabled = next === null;
  byId("change").textContent = next === null ? "No change left" : `Next change: ${withCommas(next)}`;
}

// Says which tokens of the sentence the next merge changes; and in which row, where two that make
// the same merge use it differently.
function drawChanges(rows, n) {
  let said = rows.map((row) => ({ way: row === "bpe" ? "by replaying " : "by longest match ", told: tell(changes(row, n)) }));
  if (said.every(({ told }) => told === said[0].told)) said = [{ way: "", told: said[0].told }];
  said = said.filter(({ told }) => told);
  const line = make("span", { class: "changes" }, said.length ? "changes " : "changes nothing in the sentence");
  said.forEach(({ way, told }, i) => line.append(i ? "; " : "", way, make("span", { class: "spelled" }, told)));
  return line;
}

function tell(changes) {
  const told = changes.slice(0, 3).map(([before, after]) => `${before.join(" ")} → ${after.join(" ")}`);
  const more = changes.length > 3 ? ` and ${changes.length - 3} more` : "";
  return told.join(", ") + more;
}

// Returns [tokens before, tokens after] of each word of the sentence that merge n + 1 changes.
function changes(row, n) {
  const { vocabulary, split } = ROWS[row];
  // Without the new token in it, a word stays as it is.
  return (standing(row).get(vocabulary.alphabetSize + n) ?? [])
    .map((word) => [split(word, vocabulary, n), split(word, vocabulary, n + 1)])
    .filter(([before, after]) => before.length !== after.length || before.some((one, i) => one !== after[i]));
}

// Returns for each id the words of the sentence in which its token can be read.
function standing(row) {
  if (!state.standing.has(row)) {
    const found = new Map();
    for (const word of new Set(state.shown.words)) {
      const chars = Array.from(START + word), seen = new Set();
      for (let start = 0; start < chars.length; start++) {
        let node = ROWS[row].vocabulary.trie;
        for (let end = start; (node = node.get(chars[end])); end++) seen.add(node.id);
      }
      for (const id of seen) {
        if (!found.has(id)) found.set(id, []);
        found.get(id).push(START + word);
      }
    }
    state.standing.set(row, found);
  }
  return state.standing.get(row);
}

// Returns the first number of merges after n at which a row that is shown changes, or null.
function nextChange(n) {
  const numbers = shownRows().map((row) => {
    const { alphabetSize } = ROWS[row].vocabulary;
    const later = [...standing(row).keys()].map((id) => id - alphabetSize).filter((number) => number >= n);
    return later.sort((a, b) => a - b).find((number) => changes(row, number).length);
  }).filter((number) => number !== undefined);
  return numbers.length ? Math.min(...numbers) + 1 : null;
}

// ---- The chosen token

function chooseLongest() {
  let best = null;
  const { shown } = state, { words, drawn } = shown;
  words.slice(0, drawn).forEach((text, word) => {
    for (const { token, subword, start } of cellsOf(shown, "gain", text)) {
      if (token !== UNKNOWN && subword.length > (best?.length ?? 0)) best = { row: "gain", word, start, length: subword.length };
    }
  });
  state.chosen = best ?? (words.length ? { row: "gain", word: 0, start: 0 } : null);
}

// Where the chosen character is now: {cell, index of the cell, word}.
function chosenCell() {
  if (!state.chosen) return null;
  const { row, word, start } = state.chosen;
  const cells = cellsOf(state.shown, row, state.shown.words[word]);
  let index = cells.findLastIndex((cell) => cell.start <= start);
  if (index < 0) index = 0;
  return { cell: cells[index], index, word: state.shown.words[word] };
}

function chosenElement() {
  if (!state.chosen) return null;
  const word = byId(state.chosen.row).querySelectorAll(".split")[state.chosen.word];
  return word?.querySelectorAll(".token")[chosenCell().index];
}

// Marks the chosen token, and lets the Tab key stop once in each row.
function drawChosen() {
  if (state.chosen && !isOn(state.chosen.row)) state.chosen.row = "gain";
  for (const row of shownRows()) {
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
  if (byId("tree")) drawTreeOf(state.chosen?.row, chosen?.cell, chosen?.word);
}

function placeOf(token) {
  const row = token.closest(".strip").id;
  const column = token.closest(".word");
  const word = [...column.parentElement.children].indexOf(column);
  const cell = cellsOf(state.shown, row, state.shown.words[word])[[...token.parentElement.children].indexOf(token)];
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
  const names = shownRows();
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
  drawTip(tip, row, cell, state.shown.words[word], state.n);
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
  return maxMerges() ? Math.log(n + 1) / Math.log(maxMerges() + 1) : 0;
}

function fromPlace(place) {
  return Math.round((maxMerges() + 1) ** Math.min(1, Math.max(0, place)) - 1);
}

function goTo(n, { isStep = false } = {}) {
  stop();
  show({ n: Math.min(maxMerges(), Math.max(0, n)), isStep, motion: isStep ? 420 : 0 });
}

function step(n) {
  goTo(n, { isStep: true });
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

// From each merge that changes the sentence to the next one, up to `end`; at the end, from the start.
function play() {
  if (nextChange(state.n) === null) show({ n: 0 });
  run(maxMerges(), () => (isCalm ? 1500 : 900));
}

function run(end, beatAfter) {
  byId("play").textContent = "Pause";
  let beats = 0;
  const beat = () => {
    const n = nextChange(state.n);
    if (n === null || n > end) {
      show({ n: Math.max(state.n, n === null ? 0 : end) });
      stop();
      return;
    }
    const wait = beatAfter(beats++);
    show({ n, isStep: true, motion: Math.min(420, 0.9 * wait) });
    state.timer = setTimeout(beat, wait);
  };
  state.timer = setTimeout(beat, beatAfter(beats++));
}

// Once, when the page is opened: slowly at first, to be understood, and then on to the default.
function playOnce() {
  show({ n: 0 });
  fall("gain");
  run(DEFAULT_MERGES, (beats) => (beats === 0 ? 1100 : beats < 4 ? 700 : 230));
  const touched = (event) => {
    if (event.target.closest?.("#play")) return; // which does it itself
    stop();
    forget();
  };
  const forget = () => TOUCHES.forEach((kind) => document.removeEventListener(kind, touched, true));
  TOUCHES.forEach((kind) => document.addEventListener(kind, touched, true));
  byId("play").addEventListener("click", forget, { once: true });
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

// What the page works with from now on.
function useModel(next) {
  stop();
  model = next;
  state.standing.clear();
  state.chosen = null;
  for (const row of Object.keys(ROWS)) byId(row).querySelector(".line").replaceChildren();
  const other = document.querySelector("[data-row=frequency]");
  other.disabled = !model.other;
  if (!model.other) other.checked = false;
  byId("frequency").hidden = !other.checked;
  byId("other-score").textContent = model.other?.score ?? "frequency";
  byId("frequency").querySelector("h2").textContent = `By ${model.other?.score}`;
  byId("frequency").querySelector(".about").textContent =
    `Again the longest match, with merges by ${model.other?.score}.`;
  const replayed = ROWS.bpe.vocabulary.score;
  byId("bpe").querySelector("h2").textContent = `By ${replayed}, replayed`;
  byId("bpe").querySelector(".about").textContent =
    `The merges by ${replayed}, replayed in the order in which they were learned${replayed === "frequency" ? ": byte-pair encoding (BPE)" : ""}.`;
  if (byId("read")) {
    byId("read").textContent = model.text;
    byId("about-homer").hidden = model !== HOMER;
    byId("about-own").hidden = model === HOMER;
  }
  byId("merges").max = byId("number").max = maxMerges();
  const ticks = [0, 1, 10, 100, 1000, 10000].filter((n) => n <= maxMerges()).map((n) => {
    const tick = make("span", {}, withCommas(n));
    tick.style.setProperty("--place", toPlace(n));
    return tick;
  });
  byId("merges").parentElement.querySelector(".ticks").replaceChildren(...ticks);
}

function start() {
  if (typeof DATA === "undefined") {
    byId("missing").hidden = false;
    return;
  }
  const page = byId("instrument");
  const tip = make("div", { id: "tip", role: "tooltip", hidden: "" });
  page.append(tip);
  useModel(HOMER);
  if (byId("corpus")) {
    byId("corpus").textContent = `: ${withCommas(DATA.occurrences)} words, ${withCommas(DATA.words)} different`;
  }
  if (DATA.home && byId("home")) {
    byId("home").querySelector("a").href = DATA.home;
    byId("home").hidden = false;
  }

  for (const kind of TOUCHES) page.addEventListener(kind, () => { state.isTouched = true; }, true);
  byId("text").addEventListener("input", () => { stop(); show({ text: byId("text").value }); });
  byId("merges").addEventListener("input", () => goTo(byId("merges").valueAsNumber));
  byId("merges").addEventListener("keydown", onSliderKey);
  followPointer(byId("merges"));
  byId("number").addEventListener("input", () => {
    if (byId("number").validity.valid && byId("number").value) goTo(byId("number").valueAsNumber);
  });
  byId("number").addEventListener("blur", () => { byId("number").value = state.n; });
  byId("play").addEventListener("click", () => (state.timer === null ? play() : stop()));
  byId("back").addEventListener("click", () => step(state.n - 1));
  byId("next").addEventListener("click", () => step(state.n + 1));
  byId("change").addEventListener("click", () => step(nextChange(state.n)));
  byId("ids").addEventListener("change", () => byId("gain").classList.toggle("with-ids", byId("ids").checked));
  for (const box of document.querySelectorAll("[data-row]")) {
    box.addEventListener("change", () => { byId(box.dataset.row).hidden = !box.checked; show(); });
  }

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

  const isAsked = readAddress();
  byId("text").value = state.text;
  page.hidden = page.closest("main").hidden = false;
  if (isAsked || isCalm) show();
  else playOnce();
  performance.mark("ready");
}

document.addEventListener("DOMContentLoaded", start);
