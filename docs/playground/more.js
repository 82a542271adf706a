// The sentence → byte-pair encoding of bytes, with merges from Homer that are loaded when the reader opens
// this part of the page.
"use strict";

// Returns a function: text → its words, each as [{token, title: what its bytes mean}].
function byteTokenizer(chars, pairs) {
  const vocabulary = new Vocabulary({ score: "frequency", alphabet: [START, ...chars], pairs: pairs.split(" ").map(Number) });
  const byteOf = new Map([...chars].map((char, byte) => [char, byte]));
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
    const codes = `byte${bytes.length > 1 ? "s" : ""} ${bytes.map(toHex).join(" ")}`;
    return [start, bytes.length && (text.includes("\ufffd") ? codes : shown)].filter(Boolean).join(", ");
  };
  return (text) => pretokenize(text.toWellFormed()).map((word) => {
    if (!known.has(word)) known.set(word, tokensOf(word));
    return known.get(word);
  });
}

let bytesOf = null; // text → words
let loadingBytes = null;

async function drawMore(text) {
  if (!byId("more").open) return;
  loadingBytes ??= loadScript("data-bytes.js");
  try {
    await loadingBytes;
  } catch {
    loadingBytes = null;
    byId("more-status").textContent = "The data for this row could not be loaded: change the sentence to try again.";
    return;
  }
  if (text !== state.text) return;
  byId("more-status").textContent = "";
  bytesOf ??= byteTokenizer(DATA.byteChars, DATA.bytes);
  const words = bytesOf(text);
  drawLine("bytes", words.slice(0, state.shown.drawn).map((word) => ({
    key: word.map(({ token }) => token).join(" "),
    draw: () => [make("span", { class: "split w" }, ...word.slice(0, DRAWN).map(({ token, title }, i) =>
      Object.assign(makeToken(token, i === 0), { title })))],
  })));
  byId("bytes").querySelector("output").textContent = plural(words.flat().length, "token");
}

if (typeof DATA !== "undefined") byId("more").addEventListener("toggle", () => drawMore(state.text));
