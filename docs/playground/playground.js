// What the reader does → what the page shows: the sentence, the slider, play, the chosen token; and
// the address, which holds the sentence and the number of merges.
"use strict";

const DEFAULT_MERGES = 841; // the next one changes the sentence: ▁str + ang
const DEFAULT_TEXT = "The unlucky strangers wandered homeward, heedless of the rain!";
const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;

const state = {
  text: DEFAULT_TEXT,
  n: 0, // merges
  shown: null, // what analyze() gave
  stops: [], // the numbers of the merges that change the tokens of the sentence
  chosen: null, // {row, word: its index, start: where in the word}
  isOpen: false, // whether the tree of the chosen token is shown
  timer: null, // of play
  isTouched: false, // by the reader; before, the address is left alone
};

// ---- The address

function readAddress() {
  const asked = new URLSearchParams(location.search);
  state.text = asked.get("text") ?? DEFAULT_TEXT;
  const merges = asked.get("merges") ?? String(DEFAULT_MERGES);
  state.n = /^\d+$/.test(merges) ? Math.min(Number(merges), maxMerges()) : 0;
}

// A lone surrogate has no place in an address and becomes U+FFFD, which has the same tokens. A long text
// and merges of the reader's own text have no address.
let addressTimer;
function keepAddress() {
  clearTimeout(addressTimer);
  if (!state.isTouched) return;
  // Browsers allow few changes a second.
  addressTimer = setTimeout(() => {
    const asked = new URLSearchParams({ merges: state.n, ...(state.text.length <= SHOWN && { text: state.text }) });
    history.replaceState(null, "", model === HOMER ? `?${asked}` : location.pathname);
  }, 150);
}

// ---- Drawing

// `isStep`: whether to mark the tokens that change; `motion`: how many milliseconds that takes.
function show({ text = state.text, n = state.n, isStep = false, motion = 0 } = {}) {
  const hadFocus = byId("rows").contains(document.activeElement) && document.activeElement.closest(".line");
  const before = isStep ? state.shown : null;
  const isNewText = text !== state.shown?.text;
  if (isNewText || n !== state.n) state.isOpen = false;
  Object.assign(state, { text, n, shown: analyze(text, n) });
  if (isNewText) {
    state.chosen = null;
    findStops();
  }
  document.querySelector(".hint").hidden = text !== DEFAULT_TEXT;
  drawRows({ ...state.shown, stops: new Set(state.stops) }, before, isCalm ? 0 : motion);
  keepHeight(isNewText);
  drawSlider();
  drawNextMerge();
  drawChosen();
  drawModels(text);
  drawMore(text);
  if (hadFocus) chosenElement()?.focus({ preventScroll: true });
  keepAddress();
}

function findStops() {
  const { words, drawn } = state.shown;
  const numbers = [...new Set(words.slice(0, drawn))].flatMap((word) => changesOf(START + word, model.main));
  state.stops = [...new Set(numbers)].sort((a, b) => a - b);
  // One path, and not an element for each: they would all be laid out anew at every step of the slider.
  const ticks = state.stops.map((n) => `M${toPlace(n).toFixed(5)} 0v1`).join("");
  byId("merges").parentElement.querySelector(".changes path").setAttribute("d", ticks);
}

// What is below the tokens stays where it is when they need fewer lines.
function keepHeight(isNew) {
  const line = byId("gain").querySelector(".line");
  if (isNew) line.style.minHeight = "";
  line.style.minHeight = `${line.getBoundingClientRect().height}px`;
}

function drawSlider() {
  const { n } = state;
  byId("merges").value = n;
  byId("merges").setAttribute("aria-valuetext", plural(n, "merge"));
  byId("merges").parentElement.style.setProperty("--place", toPlace(n));
  byId("made").textContent = plural(n, "merge");
  byId("next").disabled = n === maxMerges();
}

// Says which merge comes next, why, and what it does to the sentence.
function drawNextMerge() {
  const { n } = state, { main } = model;
  const [equation, why] = [".equation", ".why"].map((part) => document.querySelector(`#next-merge ${part}`));
  if (n >= main.merges.length) {
    equation.replaceChildren(`All ${plural(main.merges.length, "merge")} are made.`);
    why.replaceChildren("");
    return;
  }
  const { number, x, y, token, count, gain } = main.merge(n);
  equation.replaceChildren(make("span", {}, `Next, merge ${withCommas(number)}`), makeToken(x), make("em", {}, " + "), makeToken(y),
    make("em", {}, " → "), makeToken(token));
  const strong = (text, name = "") => make("b", name ? { class: name } : {}, text);
  const reasons = [];
  if (count !== undefined) {
    reasons.push("They meet ", strong(count === 1 ? "once" : `${withCommas(count)} times`), ` in ${model.name}`);
    if (main.score === "gain") {
      const ratio = Math.exp(gain / count);
      reasons.push(", ", strong(`${withCommas(ratio, ratio < 10 ? 1 : 0)} times`), " as often as chance predicts. No other pair has a higher ",
        strong(`gain (${withCommas(gain, 1)})`, "worth"), ". ");
    } else {
      reasons.push(", and no other pair more often. ");
    }
  }
  why.replaceChildren(...reasons, ...tellChange(n + 1));
}

function tellChange(number) {
  if (!state.stops.includes(number)) {
    const next = nextChange(number);
    return [next === null ? "No later merge changes your sentence." : `It doesn’t change your sentence. Merge ${withCommas(next)} does.`];
  }
  const words = changedWords(number), shown = words.slice(0, 3);
  const told = shown.flatMap((word, i) => {
    const before = i === 0 ? "" : i === shown.length - 1 && shown.length === words.length ? " and " : ", ";
    return [`${before}“`, make("bdi", {}, cut(word)), "”"];
  });
  const more = words.length > shown.length ? ` and ${words.length - shown.length} more` : "";
  return [`It will change ${words.length === 1 ? "one" : words.length} of your words: `, ...told, `${more}.`];
}

// Returns the words of the sentence that a merge changes, each once.
function changedWords(number) {
  const { words, drawn } = state.shown;
  const cut = (word, n) => encode(START + word, model.main, n).join(" ");
  return [...new Set(words.slice(0, drawn))].filter((word) => cut(word, number - 1) !== cut(word, number));
}

// Returns the first number of merges after n at which the sentence changes, or null.
function nextChange(n) {
  return state.stops.find((stop) => stop > n) ?? null;
}

// ---- The chosen token

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
  if (state.chosen && !isOn(state.chosen.row)) [state.chosen, state.isOpen] = [null, false];
  for (const row of shownRows()) {
    const line = byId(row).querySelector(".line");
    for (const token of line.querySelectorAll("[aria-selected=true]")) token.setAttribute("aria-selected", false);
    for (const token of line.querySelectorAll("[tabindex='0']")) token.tabIndex = -1;
    const first = line.querySelector(".token");
    if (first && row !== state.chosen?.row) first.tabIndex = 0;
  }
  const element = chosenElement();
  if (element) element.tabIndex = 0;
  byId("tree").hidden = !state.isOpen;
  if (!state.isOpen) return;
  element.setAttribute("aria-selected", true);
  const { cell, word } = chosenCell();
  drawTreeOf(state.chosen.row, cell, word);
}

// Opens the tree of a token, or closes it.
function toggleTree(token) {
  state.isOpen = token.getAttribute("aria-selected") !== "true";
  choose(token);
}

function closeTree() {
  if (!state.isOpen) return;
  state.isOpen = false;
  drawChosen();
  chosenElement()?.focus({ preventScroll: true });
}

function placeOf(token) {
  const row = token.closest(".strip").id;
  const column = token.closest(".word");
  const word = [...column.parentElement.children].indexOf(column);
  const cell = cellsOf(state.shown, row, state.shown.words[word])[[...column.querySelectorAll(".token")].indexOf(token)];
  return { row, word, cell };
}

function choose(token) {
  const { row, word, cell } = placeOf(token);
  state.chosen = { row, word, start: cell.start };
  drawChosen();
}

// In a sentence that is read from the right, the next token is at the left.
function onTokenKey(event) {
  const token = event.target.closest(".token");
  if (!token) return;
  const line = token.closest(".line"), tokens = [...line.querySelectorAll(".token")];
  const at = tokens.indexOf(token), right = line.dir === "rtl" ? -1 : 1;
  const target = {
    ArrowLeft: () => tokens[at - right],
    ArrowRight: () => tokens[at + right],
    Home: () => tokens[0],
    End: () => tokens.at(-1),
    ArrowUp: () => neighbor(token, -1),
    ArrowDown: () => neighbor(token, 1),
    Enter: () => token.click(),
    " ": () => token.click(),
  }[event.key];
  if (!target) return;
  event.preventDefault();
  target()?.focus();
}

// Returns the first token of the same word in the row above or below.
function neighbor(token, step) {
  if (!isOfTree(token)) return null;
  const { row, word } = placeOf(token), names = shownRows();
  return byId(names[names.indexOf(row) + step])?.querySelectorAll(".split")[word].querySelector(".token");
}

// Whether a token has a tree: those of the models and of the bytes have none.
function isOfTree(token) {
  return token.closest("section").id in ROWS;
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

// From each merge that changes the sentence to the next one, each ringed before it is made; at the end,
// from the start.
function play() {
  if (nextChange(state.n) === null) show({ n: 0 });
  byId("play").textContent = "Pause";
  const beat = () => {
    const next = nextChange(state.n);
    if (next === null) return stop();
    const isReady = state.n === next - 1;
    show(isReady ? { n: next, isStep: true, motion: 420 } : { n: next - 1 });
    state.timer = setTimeout(beat, isCalm ? 1500 : isReady ? 600 : 900);
  };
  state.timer = setTimeout(beat, 300);
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
  byId("status").textContent = `${plural(state.n, "merge")}. ${byId("next-merge").querySelector("div").textContent.replace(/\s+/g, " ")}`;
}

// ---- Start

// What the page works with from now on.
function useModel(next) {
  stop();
  byId("status").textContent = "";
  model = next;
  [state.shown, state.chosen, state.isOpen] = [null, null, false];
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
  byId("read").textContent = model.text;
  byId("about-homer").hidden = byId("bytes").hidden = model !== HOMER;
  byId("about-own").hidden = model === HOMER;
  byId("merges").max = maxMerges();
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
  useModel(HOMER);
  byId("corpus").textContent = `: ${withCommas(DATA.occurrences)} words, ${withCommas(DATA.words)} different`;

  const page = byId("instrument");
  for (const kind of ["pointerdown", "keydown", "input"]) page.addEventListener(kind, () => { state.isTouched = true; }, true);
  byId("text").addEventListener("input", () => { stop(); show({ text: byId("text").value }); });
  byId("merges").addEventListener("input", () => goTo(byId("merges").valueAsNumber));
  byId("merges").addEventListener("keydown", onSliderKey);
  followPointer(byId("merges"));
  byId("play").addEventListener("click", () => (state.timer === null ? play() : stop()));
  byId("next").addEventListener("click", () => step(state.n + 1));
  byId("close").addEventListener("click", closeTree);
  byId("ids").addEventListener("change", () => byId("gain").classList.toggle("with-ids", byId("ids").checked));
  for (const box of document.querySelectorAll("[data-row]")) {
    box.addEventListener("change", () => { byId(box.dataset.row).hidden = !box.checked; show(); });
  }

  const rows = byId("rows");
  const onToken = (act) => (event) => {
    const token = event.target.closest(".token");
    if (token && isOfTree(token)) act(token);
  };
  rows.addEventListener("click", onToken((token) => { toggleTree(token); token.focus({ preventScroll: true }); }));
  rows.addEventListener("mousedown", (event) => { if (event.target.closest(".token")) event.preventDefault(); }); // the click moves the focus
  rows.addEventListener("focusin", onToken(choose));
  page.addEventListener("keydown", onTokenKey);
  addEventListener("resize", () => keepHeight(true));
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") closeTree(); });

  startModels();
  readAddress();
  byId("text").value = state.text;
  for (const part of ["instrument", "own", "playground-foot"]) byId(part).hidden = false;
  show();
  performance.mark("ready");
}

document.addEventListener("DOMContentLoaded", start);
