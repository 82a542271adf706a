// The sentence → its tokens in BERT, GPT-2, GPT-4 and GPT-4o. The rows begin with the tokens that the data
// have for the first sentence; a list is loaded when the sentence changes, or the row is clicked.
"use strict";

const PAUSE = 50; // milliseconds that BERT cuts before the page may do something else

// BERT, as gptModel() gives the others.
const bertModel = {
  known: new Map(), // text between spaces → its words

  load() {
    this.loading ??= loadScript("data-bert.js").then(() => { this.wordsOf = bertTokenizer(DATA.bert); }, (error) => {
      this.loading = null;
      throw error;
    });
    return this.loading;
  },

  async tokenize(text, most) {
    let [count, unknown, began, words] = [0, 0, performance.now(), []];
    for (const part of text.split(/[ \n]+/)) {
      if (this.known.size > 50_000) this.known.clear();
      if (!this.known.has(part)) this.known.set(part, this.wordsOf(part).slice(1, -1)); // without [CLS] and [SEP]
      for (const word of this.known.get(part)) {
        count += word.length;
        unknown += word[0].token === UNKNOWN;
        if (words.length < most) words.push(word);
      }
      if (performance.now() - began < PAUSE) continue;
      await new Promise((resolve) => setTimeout(resolve));
      began = performance.now();
    }
    words = words.slice(0, countDrawn(words.map((word) => word.reduce((sum, { token }) => sum + token.length, 0))));
    return { count, words, unknown };
  },
};

function drawBertWord(word) {
  return turn(make("span", { class: "split w" }, ...word.slice(0, DRAWN).map(({ token, id }, i) => {
    const shown = makeToken(token, i === 0);
    shown.dataset.id = id;
    return shown;
  })));
}

const MODELS = {}; // the id of a row → {model, draw: word → element, first: its words of the first sentence}

function drawModels(text) {
  for (const name of Object.keys(MODELS)) drawModel(name, text);
}

// Draws the tokens of a text in a row, and loads the list for that unless the data have them.
async function drawModel(name, text, { needsList = text !== DEFAULT_TEXT } = {}) {
  const { model, first } = MODELS[name], row = byId(name);
  if (row.shownText === text && (row.dataset.loaded || !needsList)) return;
  if (!needsList && !row.dataset.loaded) return drawModelWords(name, text, first);
  const tell = (status) => {
    if (text !== state.text || text === row.shownText) return;
    row.querySelector("output").textContent = "";
    row.querySelector(".rate").textContent = status;
    row.querySelector(".line").replaceChildren();
  };
  row.ariaBusy = true;
  try {
    if (!row.dataset.loaded) await model.load((part, parts) => tell(`list: ${part} of ${parts} parts`));
    row.dataset.loaded = true;
    if (text !== state.text) return;
    const result = await model.tokenize(text, DRAWN);
    if (text === state.text) drawModelWords(name, text, result);
  } catch {
    tell("its list could not be loaded");
  } finally {
    if (text === state.text) row.ariaBusy = false;
  }
}

function drawModelWords(name, text, { count, words, unknown = 0 }) {
  const row = byId(name), { draw } = MODELS[name];
  if (row.shownText === text) return;
  row.shownText = text;
  const line = drawLine(name, words.map((word) => ({
    key: JSON.stringify(word),
    draw() {
      const drawn = draw(word);
      for (const token of drawn.querySelectorAll(".token")) makeOption(token);
      return [drawn];
    },
  })));
  for (const token of line.querySelectorAll("[tabindex='0']")) token.tabIndex = -1;
  line.querySelector(".token")?.setAttribute("tabindex", 0);
  row.querySelector("output").textContent = plural(count, "token");
  const all = state.shown.words.length;
  row.querySelector(".rate").textContent = !count ? "" : unknown === count ? "not read" :
    `${withCommas(count / Math.max(1, all), 1)} per word${unknown ? `, ${withCommas(unknown)} unknown` : ""}`;
  row.querySelector(".meaning").textContent = "";
}

// Says what a token means: its id, its bytes, and of which characters they are a part.
function tellMeaning(token) {
  const row = token.closest("section"), { parts } = token;
  for (const chosen of row.querySelectorAll("[aria-selected=true]")) chosen.setAttribute("aria-selected", false);
  token.setAttribute("aria-selected", true);
  const told = [`id ${withCommas(Number(token.dataset.id))}`];
  if (parts) {
    const encoder = new TextEncoder();
    const bytes = parts.flatMap((part) => part.bytes ?? [...encoder.encode(part)]);
    told.push(`${bytes.length === 1 ? "byte" : "bytes"} ${bytes.map(toHex).join(" ")}`);
    for (const { char, first, last, of } of parts.filter((part) => part.bytes)) {
      told.push(`${first === last ? `byte ${first}` : `bytes ${first} to ${last}`} of the ${of} of ${isShownAsCode(char) ? codeOf(char) : char}`);
    }
    if (parts[0] === " ") told.push("it begins with a space");
  } else if (token.dataset.token === UNKNOWN) {
    told.push("BERT’s vocabulary cannot spell this word");
  } else {
    told.push(token.classList.contains("b") ? "begins a word" : "continues a word");
  }
  row.querySelector(".meaning").textContent = told.join(" · ");
}

function startModels() {
  for (const row of document.querySelectorAll("#models section")) {
    const data = DATA.models[row.id];
    if (!data) continue; // its list is not here
    row.hidden = false;
    const isBert = row.id === "real-bert";
    const words = isBert ? data.first.map((word) => word.map(([token, id]) => ({ token, id }))) : gptWords(data.first);
    const first = { count: data.first.flat().length, words };
    MODELS[row.id] = { model: isBert ? bertModel : gptModel(row.id), draw: isBert ? drawBertWord : drawGptWord, first };
    row.querySelector("small").textContent = withCommas(data.entries);
    row.addEventListener("click", ({ target }) => {
      const token = target.closest(".token");
      if (token) tellMeaning(token);
      if (token) token.focus({ preventScroll: true });
      if (!row.dataset.loaded) drawModel(row.id, state.text, { needsList: true });
    });
  }
  // GPT-2's comes as soon as the page has been painted.
  requestAnimationFrame(() => setTimeout(() => drawModel("gpt2", state.text, { needsList: true })));
}
