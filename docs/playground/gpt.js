// A text → the tokens of GPT-2, GPT-4 and GPT-4o, with the ids of OpenAI's tiktoken.
//
// A list of tokens is loaded in parts, each a script (data-gpt2-0.js, …), because a page that was opened
// from disk may not fetch files. A worker keeps the list and cuts the texts, so that the page never
// waits for them.
"use strict";

const GPT_FOLDER = document.currentScript.src.replace(/[^/]*$/, "");
const gptModels = {};

// Returns the model called `name`; undefined if this page has no list for it.
function gptModel(name) {
  if (DATA.models[name]?.parts) gptModels[name] ??= new GptModel(name, DATA.models[name].parts);
  return gptModels[name];
}

// The script of a part calls this.
function addGptPart(name, tokens) {
  gptModels[name].worker.postMessage({ tokens });
}

class GptModel {
  constructor(name, parts) {
    Object.assign(this, { name, parts, loaded: 0, asked: new Map(), number: 0 });
  }

  // Loads the parts that are not here yet; tells `onPart` how many are, and of how many. Rejects if one
  // cannot be loaded; the next call goes on from there.
  load(onPart = () => {}) {
    this.loading ??= this.loadParts(onPart).catch((error) => {
      this.loading = null;
      throw error;
    });
    return this.loading;
  }

  async loadParts(onPart) {
    if (!this.worker) {
      this.worker = new Worker(URL.createObjectURL(new Blob([`(${gptWorker})()`], { type: "text/javascript" })));
      this.worker.postMessage({ name: this.name, chars: DATA.byteChars, categories: DATA.categories, space: SPACE });
      this.worker.onmessage = ({ data: { number, ...answer } }) => {
        this.asked.get(number)(answer);
        this.asked.delete(number);
      };
    }
    for (; this.loaded < this.parts; this.loaded++) {
      onPart(this.loaded, this.parts);
      await loadScript(`${GPT_FOLDER}data-${this.name}-${this.loaded}.js`);
    }
  }

  // Returns a promise of {count: of all tokens, words: of the first `most` characters}; a word is what
  // the model's pattern finds, as drawGptWord() takes it.
  tokenize(text, most = 2000) {
    const number = this.number++;
    this.worker.postMessage({ number, text, most });
    return new Promise((resolve) => this.asked.set(number, resolve));
  }
}

// Returns words of [token, id], each token of whole characters, as tokenize() gives them.
function gptWords(words) {
  return words.map((word) => word.map(([token, id]) => ({ tokens: [{ id, parts: [...token] }], char: "" })));
}

// What the worker does: nothing in it may refer to what is outside.
function gptWorker() {
  "use strict";
  const tokens = []; // id → token, a character for each byte
  const ranks = new Map(); // token → its id
  const known = new Map(); // word → the ids of its tokens
  const encoder = new TextEncoder();
  let pattern, chars, byteOf;

  onmessage = ({ data }) => {
    if (data.categories) {
      [chars, byteOf] = [data.chars, new Map([...data.chars].map((char, byte) => [char, byte]))];
      pattern = patternOf(data);
    } else if (data.tokens) {
      for (const token of data.tokens.split(" ")) {
        ranks.set(token, tokens.length);
        tokens.push(token);
      }
    } else {
      postMessage({ number: data.number, ...tokenize(data.text.toWellFormed(), data.most) });
    }
  };

  // Returns tiktoken's pattern of a model. JavaScript has no possessive quantifiers; in these patterns,
  // the usual ones find the same. Its \p{L} depends on the browser, so the letters come from the data.
  // Source: https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py
  function patternOf({ name, categories, space }) {
    const ranges = { U: "", L: "", O: "", M: "", N: "" };
    let code = 0;
    for (const [, length, category] of categories.matchAll(/([0-9a-z]*)([-ULOMN])/g)) {
      const end = code + (length ? parseInt(length, 36) : 1);
      if (category !== "-") ranges[category] += `\\u{${code.toString(16)}}-\\u{${(end - 1).toString(16)}}`;
      code = end;
    }
    const { U, L, O, M, N } = ranges, letter = U + L + O;
    const upper = U + O + M, lower = L + O + M;
    const other = `[^${space}${letter}${N}]`, front = `[^\\r\\n${letter}${N}]?`;
    const ending = "'(?:[sSſdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])";
    const s = `[${space}]`, last = `(?![^${space}])`;
    const source = {
      gpt2: `'(?:[sdmt]|ll|ve|re)| ?[${letter}]+| ?[${N}]+| ?${other}+|${s}+$|${s}+${last}|${s}`,
      cl100k_base: `${ending}|${front}[${letter}]+|[${N}]{1,3}| ?${other}+[\\r\\n]*|${s}+$|${s}*[\\r\\n]|${s}+${last}|${s}`,
      o200k_base: `${front}[${upper}]*[${lower}]+(?:${ending})?|${front}[${upper}]+[${lower}]*(?:${ending})?|`
        + `[${N}]{1,3}| ?${other}+[\\r\\n/]*|${s}*[\\r\\n]+|${s}+${last}|${s}+`,
    }[name];
    return new RegExp(source, "gu");
  }

  function tokenize(text, most) {
    const words = [];
    let count = 0;
    for (const { 0: word, index } of text.matchAll(pattern)) {
      const ids = idsOf(word);
      count += ids.length;
      if (index < most) words.push(describe(word, ids, most));
    }
    return { count, words };
  }

  function idsOf(word) {
    let ids = known.get(word);
    if (!ids) {
      let bytes = "";
      for (const byte of encoder.encode(word)) bytes += chars[byte];
      ids = ranks.has(bytes) ? [ranks.get(bytes)] : merge(bytes);
      if (known.size > 50_000) known.clear();
      if (word.length < 100) known.set(word, ids);
    }
    return ids;
  }

  // Returns the ids of a word's tokens: again and again, of all pairs of neighbors that are a token
  // together, the one with the lowest id is joined, and of equal ones the first. A heap finds it, so
  // that a word of a million letters takes no hours; what is in it may be out of date.
  function merge(bytes) {
    const length = bytes.length, heap = [];
    const end = new Int32Array(length + 1), before = new Int32Array(length + 1); // of the token that starts there
    const rank = new Int32Array(length + 1).fill(-1); // of the pair that starts there
    const note = (start) => {
      const next = end[start];
      const found = next < length ? ranks.get(bytes.slice(start, end[next])) : undefined;
      rank[start] = found ?? -1;
      if (found !== undefined) push(heap, found * 2 ** 32 + start);
    };
    for (let i = 0; i <= length; i++) [end[i], before[i]] = [i + 1, i - 1];
    for (let i = 0; i < length; i++) note(i);
    while (heap.length) {
      const lowest = pop(heap), start = lowest % 2 ** 32, next = end[start];
      if (rank[start] !== Math.floor(lowest / 2 ** 32)) continue;
      end[start] = end[next];
      before[end[next]] = start;
      rank[next] = -1;
      note(start);
      if (before[start] >= 0) note(before[start]);
    }
    const ids = [];
    for (let i = 0; i < length; i = end[i]) ids.push(ranks.get(bytes.slice(i, end[i])));
    return ids;
  }

  function push(heap, value) {
    let i = heap.length;
    for (let parent; i && heap[parent = (i - 1) >> 1] > value; i = parent) heap[i] = heap[parent];
    heap[i] = value;
  }

  function pop(heap) {
    const top = heap[0], value = heap.pop();
    let i = 0;
    for (let child; (child = 2 * i + 1) < heap.length; i = child) {
      if (heap[child + 1] < heap[child]) child++;
      if (heap[child] >= value) break;
      heap[i] = heap[child];
    }
    if (heap.length) heap[i] = value;
    return top;
  }

  // Returns the tokens of a word in groups: those that share a character are together, and `char` says
  // which. A token is {id, parts}: characters, or {char, bytes, first, last, of} for some of the bytes of
  // one.
  function describe(word, ids, most) {
    const characters = Array.from(word.slice(0, most)), groups = [];
    let [start, i, first] = [0, 0, 0]; // `first`: where character i begins
    for (const id of ids) {
      if (i === characters.length) break;
      const token = tokens[id], end = start + token.length, parts = [];
      if (start === first) groups.push({ tokens: [], char: "" });
      const group = groups.at(-1);
      while (first < end && i < characters.length) {
        const char = characters[i], of = encoder.encode(char).length;
        const [from, to] = [Math.max(first, start), Math.min(first + of, end)];
        if (to - from === of) {
          parts.push(char);
        } else {
          const bytes = Array.from(token.slice(from - start, to - start), (char) => byteOf.get(char));
          parts.push({ char, bytes, first: from - first + 1, last: to - first, of });
          if (to === first + of) group.char += char;
        }
        if (first + of > end) break;
        [first, i] = [first + of, i + 1];
      }
      group.tokens.push({ id, parts });
      start = end;
    }
    return groups;
  }
}
