// Text → words → tokens, exactly as the package does it.
//
// Characters are code points, as in Python. What is whitespace and what is punctuation comes from
// the package's data, and not from JavaScript's \s and \p{P}, which differ from Python's regex:
// \s has U+FEFF and lacks U+0085, and \p{P} depends on the version of Unicode that the browser
// knows.
"use strict";

// A class of characters for a regular expression, from [[first, last], …].
function charClass(ranges) {
  const escape = (code) => `\\u{${code.toString(16)}}`;
  return ranges.map(([first, last]) => `${escape(first)}-${escape(last)}`).join("");
}

const SPACE = charClass(DATA.space);
const PUNCTUATION = charClass(DATA.punctuation);
const WORD_PATTERN = new RegExp(`[${PUNCTUATION}]|[^${SPACE}${PUNCTUATION}]+`, "gu");

function pretokenize(text) {
  return text.match(WORD_PATTERN) ?? [];
}

// Returns [{text, isWord}]: the words, and the whitespace between them.
function wordsAndSpaces(text) {
  const parts = [];
  let end = 0;
  const addSpace = (to) => {
    if (to > end) parts.push({ text: text.slice(end, to), isWord: false });
  };
  for (const match of text.matchAll(WORD_PATTERN)) {
    addSpace(match.index);
    parts.push({ text: match[0], isWord: true });
    end = match.index + match[0].length;
  }
  addSpace(text.length);
  return parts;
}

// Returns the tokens of a word, which starts with its ▁: from left to right, each time the longest
// one that the vocabulary has after n merges. (The package's LoopEncoder, on a trie.)
function encode(word, vocabulary, n) {
  if (hasInnerMark(word)) return [UNKNOWN];
  const chars = Array.from(word);
  const size = vocabulary.size(n);
  const tokens = [];
  for (let start = 0; start < chars.length;) {
    let node = vocabulary.trie.get(chars[start]);
    let found = -1, end = start;
    for (let next = start + 1; node; node = node.get(chars[next++])) {
      if (node.id < size) [found, end] = [node.id, next];
    }
    if (found < 0) return [UNKNOWN];
    tokens.push(vocabulary.tokens[found]);
    start = end;
  }
  return tokens;
}

// Returns the numbers (from 1) of the merges that change the tokens of a word, which starts with its ▁.
function changesOf(word, vocabulary) {
  const chars = Array.from(word), ids = new Set(); // of the tokens that the word spells
  for (let start = 0; start < chars.length; start++) {
    let node = vocabulary.trie;
    for (let end = start; (node = node.get(chars[end])); end++) ids.add(node.id);
  }
  const cut = (n) => encode(word, vocabulary, n).join(" ");
  return [...ids].map((id) => id - vocabulary.alphabetSize + 1)
    .filter((number) => number > 0 && cut(number) !== cut(number - 1));
}

// Returns the tokens of a word as byte-pair encoding finds them: the characters, and then the first
// n merges, in the order in which they were learned, each everywhere its pair occurs.
//
// A merge that does not find its pair changes nothing, so only those that do are looked for. Two
// tokens side by side that spell what a merge makes are its pair (the package's build_vocab() says
// why), and only later merges use what it makes, so the next one is always a later one.
//
// An unknown character makes the word unknown, as it does for longest match: nothing else would
// have an id, and so the two rows differ only where the ways of encoding do.
function replay(word, vocabulary, n) {
  let split = Array.from(word);
  if (hasInnerMark(word) || !split.every((char) => vocabulary.has(char, 0))) return [UNKNOWN];
  const end = vocabulary.size(n);
  for (;;) {
    let next = end;
    for (let i = 0; i + 1 < split.length; i++) {
      next = Math.min(next, vocabulary.ids.get(split[i] + split[i + 1]) ?? end);
    }
    if (next === end) return split;
    const { x, y } = vocabulary.merges[next - vocabulary.alphabetSize];
    split = mergePair([vocabulary.tokens[x], vocabulary.tokens[y]], split);
  }
}

// A ▁ in the text is not a start of word.
function hasInnerMark(word) {
  return word.includes(START, START.length);
}

// Returns tokens in ## notation: ## in front of what continues a word, and no ▁.
function toBert(tokens) {
  const bert = tokens.map((token, i) => {
    if (token.startsWith(START)) return token.slice(START.length);
    return tokens[i - 1] === START || token === UNKNOWN ? token : CONTINUATION + token;
  });
  return bert.filter((token) => token);
}

const HOMER = {
  name: "Homer", text: "Homer", main: Vocabulary.fromData(DATA, "gain"), other: Vocabulary.fromData(DATA, "frequency"),
};

// What the page works with: HOMER, or what was learned from the reader's own text. `name` is what the page
// calls it, and `text` the text it was learned from. `other` is what was learned by the other score; a
// file that was loaded has none.
let model = HOMER;

// A row of the page: its vocabulary; a word → the tokens behind it, and how they are written.
const asTheyAre = (tokens) => tokens;
const ROWS = {
  gain: { get vocabulary() { return model.main; }, split: encode, write: asTheyAre },
  bert: { get vocabulary() { return model.main; }, split: encode, write: toBert },
  frequency: { get vocabulary() { return model.other; }, split: encode, write: asTheyAre },
  bpe: { get vocabulary() { return byFrequency() ?? model.main; }, split: replay, write: asTheyAre },
};

function byFrequency() {
  return [model.main, model.other].find((vocabulary) => vocabulary?.score === "frequency");
}

function maxMerges() {
  return Math.max(model.main.merges.length, model.other?.merges.length ?? 0);
}

// Returns the tokens of `text` in a row of the page, after n merges.
function tokenize(text, row, n) {
  const { vocabulary, split, write } = ROWS[row];
  return pretokenize(text).flatMap((word) => write(split(START + word, vocabulary, n)));
}
