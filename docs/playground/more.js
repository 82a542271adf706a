// The sentence → the tokens of the real BERT, and of byte-pair encoding of bytes. Their data are loaded
// when the reader opens this part of the page.
"use strict";

// ---- Bytes

// Returns a function: text → its words, each as [{token, title: what its bytes mean}].
function byteTokenizer({ chars, pairs }) {
  const vocabulary = new Vocabulary({ score: "frequency", alphabet: [START, ...chars], pairs: pairs.split(" ").map(Number) });
  const byteOf = new Map(chars.map((char, byte) => [char, byte]));
  const known = new Map();
  const tokensOf = (word) => {
    const bytes = Array.from(new TextEncoder().encode(word), (byte) => chars[byte]).join("");
    return replay(START + bytes, vocabulary, vocabulary.merges.length).map((token) => ({ token, title: meaning(token) }));
  };
  const meaning = (token) => {
    const bytes = Array.from(token.replace(START, ""), (char) => byteOf.get(char));
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(bytes));
    const start = token.startsWith(START) ? "start of word" : "";
    const shown = Array.from(text, (char) => (isShownAsCode(char) ? codeOf(char) : char)).join("");
    const codes = `byte${bytes.length > 1 ? "s" : ""} ${bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ")}`;
    return [start, bytes.length && (text.includes("\ufffd") ? codes : shown)].filter(Boolean).join(", ");
  };
  return (text) => pretokenize(text.toWellFormed()).map((word) => {
    if (!known.has(word)) known.set(word, tokensOf(word));
    return known.get(word);
  });
}

// ---- The page

const tokenizers = {}; // the id of a row → text → words
let shownText = null;

// Draws `words` in a row, and returns how many tokens they have.
function drawWords(line, words) {
  let drawn = 0;
  const columns = [];
  for (let room = DRAWN; drawn < words.length && room > 0; drawn++) {
    const tokens = words[drawn].slice(0, DRAWN).map(({ token, id, title }, i) => {
      room -= token.length;
      const shown = makeToken(token, i === 0);
      if (id !== undefined) shown.dataset.id = id;
      if (title) shown.title = title;
      return shown;
    });
    columns.push(make("span", { class: "word" }, make("span", { class: "split w" }, ...tokens)));
  }
  line.replaceChildren(...columns, drawn < words.length ? "…" : "");
}

function drawMore(text) {
  if (!byId("more").open || !byId("more").dataset.done || text === shownText) return;
  shownText = text;
  for (const [id, tokenize] of Object.entries(tokenizers)) {
    const words = tokenize(text), tokens = words.flat();
    const unknown = tokens.filter(({ token }) => token === UNKNOWN).length;
    drawWords(byId(id).querySelector(".line"), words);
    byId(id).querySelector("output").textContent =
      plural(tokens.length, "token") + (unknown ? `, ${withCommas(unknown)} of them unknown` : "");
  }
}

// Without BERT's vocabulary, what it makes of the sentences that come with the package.
function drawSentences(sentences) {
  const rows = Object.entries(sentences).map(([text, tokens]) => {
    const line = make("div", { class: "line toks" });
    const words = []; // in ## notation, a word goes on as long as there is a ##
    for (const [token, id] of tokens) {
      if (!token.startsWith(CONTINUATION)) words.push([]);
      words.at(-1).push({ token, id });
    }
    drawWords(line, words);
    return make("div", { "data-text": text }, make("p", { class: "about" }, `${text}: ${plural(tokens.length, "token")}`), line);
  });
  byId("real-bert").querySelector(".about").textContent =
    "BERT’s vocabulary is not part of this copy of the page. These are BERT’s tokens for some other texts. [CLS] and [SEP] mark the beginning and the end.";
  byId("real-bert").querySelector(".line").replaceWith(...rows);
}

function loadMore() {
  const load = (name) => new Promise((resolve, reject) => {
    document.head.append(Object.assign(document.createElement("script"), { src: name, onload: resolve, onerror: reject }));
  });
  return Promise.all(["data-bert.js", "data-bytes.js"].map(load)).then(() => {
    if (DATA.bert.vocab) tokenizers["real-bert"] = bertTokenizer(DATA.bert);
    else drawSentences(DATA.bert.sentences);
    tokenizers.bytes = byteTokenizer(DATA.bytes);
    byId("more-status").textContent = "";
    byId("more").dataset.done = true;
  }, () => {
    byId("more-status").textContent = "The data for these two rows are not here yet. This command writes them: python docs/playground/make_data.py";
  });
}

if (typeof DATA !== "undefined") {
  byId("more").addEventListener("toggle", () => loadMore().then(() => drawMore(state.text)), { once: true });
  byId("more").addEventListener("toggle", () => drawMore(state.text));
}
