// The reader's own text → merges, in the worker of trainer.js; and to the package's JSON and back.
"use strict";

const MOST_BYTES = 2_000_000;
const SENTENCE = 90; // characters of the sentence that is taken from it
const SHOWN = 10_000; // characters of a longer text that the field shows
let trainerAtWork = null;

// A browser needs 20 seconds to lay out a line of a million letters, above all where dir="auto" has it
// look for their direction. So of a long text the field shows the beginning, where it can be changed as
// usual, and the rest is kept beside it: the field's `value` is both. What replaces all that is shown
// replaces the rest as well.
function keepLongTexts(field, note) {
  const shown = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
  let rest = "";
  const keep = (kept) => {
    rest = kept;
    note.hidden = !rest;
  };
  Object.defineProperty(field, "value", {
    get: () => shown.get.call(field) + rest,
    set: (text) => {
      const end = text.length > SHOWN ? SHOWN + (text.codePointAt(SHOWN - 1) > 0xffff) : text.length;
      shown.set.call(field, text.slice(0, end));
      keep(text.slice(end));
    },
  });
  field.addEventListener("beforeinput", (event) => {
    const { selectionStart: start, selectionEnd: end } = field, text = shown.get.call(field);
    const kept = start === 0 && end === text.length ? "" : rest;
    if ((event.data?.length ?? 0) <= SHOWN) return keep(kept);
    event.preventDefault();
    field.value = text.slice(0, start) + event.data + text.slice(end) + kept;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

function tellOwn(text) {
  byId("own-status").textContent = text;
}

// Trains by the score that is chosen, and then by the other one, for the row that compares them.
function train() {
  const numMerges = Number(byId("own-merges").value);
  if (!byId("own-merges").value || !Number.isInteger(numMerges) || numMerges < 0) {
    return tellOwn("The number of merges must be a whole number: enter 0 or more.");
  }
  const text = byId("own-text").value.toWellFormed(); // a lone surrogate has no place in UTF-8
  if (text.search(WORD_PATTERN) < 0) return tellOwn("There is no text to learn from: paste one, or open a file.");
  if (new Blob([text]).size > MOST_BYTES) return tellOwn("The text is larger than 2 MB: use part of it.");
  trainerAtWork?.terminate();
  const score = document.querySelector("[name=own-score]:checked").value;
  const scores = [score, score === "gain" ? "frequency" : "gain"];
  const [bar, list] = [byId("own-bar"), byId("learned")];
  [bar.max, bar.value, bar.hidden, list.hidden] = [Math.max(1, numMerges), 0, false, false];
  list.replaceChildren();
  delete list.dataset.done;
  tellOwn("Counting words");
  let current; // what a Vocabulary is made of
  trainerAtWork = startTrainer();
  trainerAtWork.onmessage = ({ data }) => {
    if (data.error) {
      [bar.hidden, list.hidden] = [true, true];
      tellOwn(data.error);
    } else if (data.alphabet) {
      current = { ...data, tokens: [...data.alphabet], pairs: [], pairCounts: [], joins: [] };
    } else if (data.merges) {
      const from = current.pairCounts.length;
      for (let i = 0; i < data.merges.length; i += 4) {
        const [x, y, count, joins] = data.merges.slice(i, i + 4);
        current.pairs.push(x, y);
        current.pairCounts.push(count);
        current.joins.push(joins);
        current.tokens.push(current.tokens[x] + current.tokens[y]);
      }
      if (current.score !== score) return;
      bar.value = current.pairCounts.length;
      tellOwn(`${plural(current.occurrences, "word")}, ${withCommas(current.words)} different: ${plural(current.pairCounts.length, "merge")} learned by ${score}.`);
      drawLearned(current, from);
    } else if (data.done === score) {
      const main = new Vocabulary(current);
      useOwn({ name: "your text", text: "your text", main, other: null, numMerges }, main.merges.length, firstSentence(text));
      [bar.hidden, list.dataset.done] = [true, main.merges.length];
    } else {
      useOwn({ ...model, other: new Vocabulary(current) }, state.n);
    }
  };
  trainerAtWork.onerror = ({ message }) => tellOwn(`The merges could not be learned: ${message}`);
  trainerAtWork.postMessage({ text, pattern: WORD_PATTERN.source, numMerges, scores });
}

function drawLearned({ alphabet, tokens, pairs }, from) {
  const drawn = document.createDocumentFragment();
  for (let i = from; 2 * i < pairs.length; i++) {
    const [x, y] = [tokens[pairs[2 * i]], tokens[pairs[2 * i + 1]]];
    const token = makeToken(tokens[alphabet.length + i]);
    drawn.append(make("li", { "data-x": x, "data-y": y, title: `${withCommas(i + 1)}: ${x} + ${y}` }, token));
  }
  byId("learned").append(drawn);
  byId("learned").scrollTop = byId("learned").scrollHeight;
}

function useOwn(next, n, text = state.text) {
  useModel(next);
  byId("save").disabled = byId("homer").disabled = next === HOMER;
  byId("text").value = text;
  show({ n, text });
}

// Returns the first sentence of a text that has some length and fits above its tokens, or as many of
// the first words as fit.
function firstSentence(text) {
  const segments = [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text.slice(0, SHOWN))];
  const sentences = segments.map(({ segment }) => segment.replace(/\s+/g, " ").trim());
  const found = sentences.find((one) => one.length >= 20 && one.length <= SENTENCE);
  if (found) return found;
  const all = sentences.join(" ").trim(), parts = wordsAndSpaces(all.slice(0, SENTENCE + 1));
  const whole = all.length > SENTENCE && parts.length > 1 ? parts.slice(0, -1) : parts; // the last word may be cut
  return whole.map(({ text }) => text).join("").trim();
}

// ---- Files

async function openText(file) {
  if (!file) return;
  if (file.size > MOST_BYTES) return tellOwn(`“${file.name}” is larger than 2 MB: use part of it.`);
  byId("own-text").value = await file.text();
  tellOwn(`“${file.name}” is open: choose the number of merges, then train.`);
}

// The sentence may be a whole text: all of it is counted, and its beginning is drawn.
async function openSentence(file) {
  if (!file) return;
  const status = byId("file-status");
  status.textContent = file.size > MOST_BYTES ? `“${file.name}” is larger than 2 MB: use part of it.` : "";
  if (status.textContent) return;
  byId("text").value = await file.text();
  stop();
  show({ text: byId("text").value });
  status.textContent = `“${file.name}”: ${plural(state.shown.words.length, "word")}. All of it is counted, and its beginning is drawn.`;
}

function openDropped(field, act) {
  field.addEventListener("dragover", (event) => { event.preventDefault(); field.classList.add("over"); });
  field.addEventListener("dragleave", () => field.classList.remove("over"));
  field.addEventListener("drop", (event) => {
    field.classList.remove("over");
    const file = event.dataTransfer.files[0];
    if (!file) return;
    event.preventDefault();
    act(file);
  });
}

async function load(file) {
  if (!file) return;
  try {
    const saved = readSaved(new Uint8Array(await file.arrayBuffer()), `“${file.name}”`);
    trainerAtWork?.terminate();
    const main = vocabularyOf(saved);
    useOwn({ name: `“${file.name}”`, text: "another text", main, other: null, numMerges: saved.num_merges }, main.merges.length);
    byId("learned").replaceChildren();
    byId("learned").hidden = false;
    drawLearned({ alphabet: saved.alphabet, tokens: main.tokens, pairs: main.merges.flatMap(({ x, y }) => [x, y]) }, 0);
    byId("learned").dataset.done = main.merges.length;
    tellOwn(`“${file.name}” is loaded: ${plural(main.merges.length, "merge")} by ${main.score}.`);
  } catch (error) {
    tellOwn(cut(error.message, 300));
  }
}

function vocabularyOf({ score, alphabet, merges }) {
  const ids = new Map(alphabet.map((token, id) => [token, id]));
  const pairs = merges.flatMap(([x, y]) => {
    ids.set(x + y, ids.size);
    return [ids.get(x), ids.get(y)];
  });
  return new Vocabulary({ score, alphabet, pairs });
}

function save() {
  const { main, numMerges } = model;
  const merges = main.merges.map(({ x, y }) => [main.tokens[x], main.tokens[y]]);
  const content = writeSaved({ score: main.score, num_merges: BigInt(numMerges), alphabet: main.tokens.slice(0, main.alphabetSize), merges });
  const link = make("a", { download: "tokenizer.json", href: URL.createObjectURL(new Blob([content], { type: "application/json" })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

if (typeof DATA !== "undefined") {
  const onFile = (button, input, act) => {
    byId(button).addEventListener("click", () => byId(input).click());
    byId(input).addEventListener("change", async () => {
      await act(byId(input).files[0]);
      byId(input).value = "";
    });
  };
  byId("train").addEventListener("click", train);
  onFile("open", "own-file", openText);
  onFile("load", "saved-file", load);
  byId("save").addEventListener("click", save);
  byId("homer").addEventListener("click", () => { trainerAtWork?.terminate(); useOwn(HOMER, 0, DEFAULT_TEXT); });
  keepLongTexts(byId("own-text"), byId("own-rest"));
  openDropped(byId("own-text"), openText);
  keepLongTexts(byId("text"), byId("text-rest"));
  openDropped(byId("text"), openSentence);
  onFile("open-sentence", "sentence-file", openSentence);
  byId("text").addEventListener("input", () => { byId("file-status").textContent = ""; });
}
