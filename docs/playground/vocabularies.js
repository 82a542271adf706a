// What was learned (data.js, or from the reader's own text) → a vocabulary after any number of merges.
//
// A token's id is its place in the package's build_vocab(): first the alphabet, then what each
// merge makes. So the vocabulary after n merges is all tokens whose id is below alphabet + n.
"use strict";

const START = "▁";
const UNKNOWN = "[UNK]";
const SPECIAL_TOKENS = ["[PAD]", UNKNOWN, "[CLS]", "[SEP]", "[MASK]"];
const CONTINUATION = "##";

// Returns the split with the pair joined everywhere it occurs, from left to right.
function mergePair([x, y], split) {
  const merged = [];
  for (let i = 0; i < split.length; i++) {
    const found = split[i] === x && split[i + 1] === y;
    merged.push(found ? x + y : split[i]);
    if (found) i++;
  }
  return merged;
}

class Vocabulary {
  // `pairs` are the ids of the merges, two for each. Where the counts are not known, as in a file
  // that was saved, `counts` (of the characters) is null: there are no counts and no gains then.
  constructor({ score, alphabet, pairs, counts = null, pairCounts = [], joins = {}, occurrences = 0 }) {
    this.score = score;
    this.alphabetSize = alphabet.length;
    this.alphabetCounts = counts;
    this.occurrences = occurrences;
    this.tokens = [...alphabet];
    this.merges = []; // number of the merge, from 0 → {x, y: ids, count, joins}
    for (let i = 0; 2 * i < pairs.length; i++) {
      const [x, y] = [pairs[2 * i], pairs[2 * i + 1]];
      this.merges.push({ x, y, count: pairCounts[i], joins: joins[i] ?? pairCounts[i] });
      this.tokens.push(this.tokens[x] + this.tokens[y]);
    }
    this.ids = new Map(this.tokens.map((token, id) => [token, id]));
    this._countsAfter = { n: -1 };
    this._bertIdsAfter = { n: -1 };
  }

  static fromData(data, score) {
    const numbers = (text) => text.split(" ").map(Number);
    const { pairs, counts, joins } = data[score];
    return new Vocabulary({ ...data, score, pairs: numbers(pairs), pairCounts: numbers(counts), joins });
  }

  // The tokens as a tree of characters: a node is a Map from the next one, with the id of the token
  // that ends there.
  get trie() {
    if (!this._trie) {
      this._trie = new Map();
      this.tokens.forEach((token, id) => {
        let node = this._trie;
        for (const char of token) {
          if (!node.has(char)) node.set(char, new Map());
          node = node.get(char);
        }
        node.id = id;
      });
    }
    return this._trie;
  }

  size(n) {
    return this.alphabetSize + Math.min(n, this.merges.length);
  }

  has(token, n) {
    return (this.ids.get(token) ?? Infinity) < this.size(n);
  }

  // Returns the merge that makes a token, as {number (from 1), x, y (tokens), count, gain}, or
  // null if it is a character.
  mergeOf(token) {
    const i = this.ids.get(token) - this.alphabetSize;
    return i >= 0 ? this.merge(i) : null;
  }

  merge(i) {
    const { x, y, count } = this.merges[i];
    const [token, gain] = [this.tokens[this.alphabetSize + i], this.gains[i]];
    return { number: i + 1, x: this.tokens[x], y: this.tokens[y], token, count, gain };
  }

  // How often each token occurs in the corpus, as training has split it after n merges: by id.
  counts(n) {
    if (this._countsAfter.n !== n) this._countsAfter = { n, counts: this._replay(n) };
    return this._countsAfter.counts;
  }

  // The gain of every merge when it was made (the package's scores.py).
  get gains() {
    if (!this._gains) {
      this._gains = [];
      this._replay(this.merges.length, ({ count }, Cx, Cy, N) => {
        const M = N - this.occurrences; // a word has one pair less than it has tokens
        this._gains.push(count * Math.log((count * N * N) / (M * Cx * Cy)));
      });
    }
    return this._gains;
  }

  _replay(n, beforeMerge = () => {}) {
    if (!this.alphabetCounts) return [];
    const counts = [...this.alphabetCounts];
    let total = counts.reduce((sum, count) => sum + count, 0);
    for (const merge of this.merges.slice(0, n)) {
      beforeMerge(merge, counts[merge.x], counts[merge.y], total);
      counts[merge.x] -= merge.joins;
      counts[merge.y] -= merge.joins;
      counts.push(merge.joins);
      total -= merge.joins;
    }
    return counts;
  }

  // Token → id in the package's BertTokenizer.from_wordpiece(): special tokens come first.
  bertIds(n) {
    if (this._bertIdsAfter.n !== n) {
      const tokens = new Set([...SPECIAL_TOKENS, ...toBertVocab(this.tokens.slice(0, this.size(n)))]);
      this._bertIdsAfter = { n, ids: new Map([...tokens].map((token, id) => [token, id])) };
    }
    return this._bertIdsAfter.ids;
  }
}

// Returns the subwords with which BERT's loop finds what ours finds: see the package's
// to_bert_vocab(). A trained vocabulary has no ▁ but at the start of a token, and "▁" itself.
function toBertVocab(vocab) {
  const starts = new Set(vocab.filter((token) => token.startsWith(START)));
  const bert = new Set();
  for (const token of vocab) {
    if (token.startsWith(START)) {
      bert.add(token.slice(START.length));
      continue;
    }
    let prefix = START;
    const isHidden = Array.from(token).some((char) => starts.has((prefix += char)));
    if (!isHidden) bert.add(token);
    bert.add(CONTINUATION + token);
  }
  bert.delete("");
  return [...bert];
}
