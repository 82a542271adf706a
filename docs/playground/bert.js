// A text → the tokens and ids of the real BERT, where its vocabulary is at hand.
"use strict";

const MAX_WORD_LENGTH = 100; // characters; BERT does not cut a longer word
const SPECIAL = new RegExp(`(${SPECIAL_TOKENS.map((token) => token.replace("[", "\\[")).join("|")})`);

// The package's bert/normalization.py, and the longest match.
//
// Returns a function: text → its words, each as [{token, id}].
//
// What is removed, and what is a mark, an ideograph or punctuation, comes from the package, as it does
// not depend on the browser there. Decompositions and lowercase letters are the browser's: it may
// decompose characters that are younger than Unicode 9, and not know capitals that are younger than
// itself. Both are rare, and most are no part of BERT's vocabulary.
function bertTokenizer({ space, removed, ideographs, marks, punctuation, vocab }) {
  const ids = new Map(vocab.split("\n").map((token, id) => [token, id]));
  const [spaces, gone, ideograph, mark] = [space, removed, ideographs, marks]
    .map((ranges) => new RegExp(`[${charClass(ranges)}]`, "gu"));
  const word = new RegExp(`[${charClass(punctuation)}]|[^ ${charClass(punctuation)}]+`, "gu");
  const known = new Map();
  const tokensOf = (text) => {
    if (!known.has(text)) known.set(text, longestMatches(Array.from(text), ids).map((token) => ({ token, id: ids.get(token) })));
    return known.get(text);
  };
  const wordsOf = (text) => {
    const cleaned = text.replace(spaces, " ").replace(gone, "").replace(ideograph, " $& ");
    // Each character by itself: at the end of a word, JavaScript would write Σ as ς.
    const lower = Array.from(cleaned.normalize("NFD").replace(mark, ""), (char) => char.toLowerCase()).join("");
    return (lower.match(word) ?? []).map(tokensOf);
  };
  return (text) => {
    const parts = text.toWellFormed().split(SPECIAL); // what spells a special token becomes that token
    const words = parts.flatMap((part, i) => (i % 2 ? [[{ token: part, id: ids.get(part) }]] : wordsOf(part)));
    const added = (token) => [{ token, id: ids.get(token) }];
    return [added("[CLS]"), ...words, added("[SEP]")];
  };
}

// Returns the tokens of a word, from left to right the longest one that is in the vocabulary.
function longestMatches(chars, ids) {
  if (chars.length > MAX_WORD_LENGTH) return [UNKNOWN];
  const tokens = [];
  for (let start = 0, end; start < chars.length; start = end) {
    let token;
    for (end = chars.length; end > start; end--) {
      token = (start ? CONTINUATION : "") + chars.slice(start, end).join("");
      if (ids.has(token)) break;
    }
    if (end === start) return [UNKNOWN];
    tokens.push(token);
  }
  return tokens;
}
