// Text → merges: the package's count_words() and train(), to the last merge, in a worker.
//
// A page that was opened from disk may not load a worker from a file, so the worker's source is the
// text of the function here: nothing in it may refer to what is outside.
"use strict";

function startTrainer() {
  return new Worker(URL.createObjectURL(new Blob([`(${trainer})()`], { type: "text/javascript" })));
}

// Takes {text, pattern, numMerges, scores} and sends, for each of the scores, {score, alphabet, counts,
// occurrences, words}, then {merges: [x, y, count, joins, …]} again and again, and {done: score}; or
// {error: a sentence}.
function trainer() {
  "use strict";
  const START = "▁", BORDER = -1, GONE = -2;
  if (typeof onmessage !== "undefined") {
    onmessage = ({ data: { text, pattern, numMerges, scores } }) => {
      const wordCounts = countWords(text, new RegExp(pattern, "gu"));
      const marked = [...wordCounts.keys()].find((word) => word.includes(START));
      if (marked !== undefined) {
        postMessage({ error: `The word “${marked.slice(0, 40)}” has a ▁ in it, which marks the start of a word here: replace it in the text.` });
        return;
      }
      for (const score of scores) {
        const row = new Row(wordCounts);
        const occurrences = [...wordCounts.values()].reduce((sum, count) => sum + count, 0);
        postMessage({ score, alphabet: row.alphabet, counts: [...row.tokenCounts], occurrences, words: wordCounts.size });
        let merges = [], sent = performance.now();
        for (let i = 0; i < numMerges && row.slots.size; i++) {
          merges.push(...row.merge(row.best(score)));
          if (performance.now() - sent > 50) {
            postMessage({ merges });
            merges = [];
            sent = performance.now();
          }
        }
        postMessage({ merges });
        postMessage({ done: score });
      }
    };
  }

  // In order of first occurrence.
  function countWords(text, pattern) {
    const wordCounts = new Map();
    for (const [word] of text.matchAll(pattern)) wordCounts.set(word, (wordCounts.get(word) ?? 0) + 1);
    return wordCounts;
  }

  // The tokens of all words in a row, where each pair is, and how often: the package's
  // fast/linked_tokens.py, with ids for tokens. A pair has a slot, whose number is its place in the lists.
  class Row {
    constructor(wordCounts) {
      const ids = new Map([[START, 0]]);
      const tokens = [BORDER], weights = [0];
      for (const [word, count] of wordCounts) {
        for (const char of START + word) {
          if (!ids.has(char)) ids.set(char, ids.size);
          tokens.push(ids.get(char));
          weights.push(count);
        }
        tokens.push(BORDER);
        weights.push(0);
      }
      this.alphabet = wordCounts.size ? [...ids.keys()] : [];
      this.tokens = Int32Array.from(tokens);
      this.weights = Float64Array.from(weights);
      this.following = Int32Array.from(tokens, (_, place) => place + 1);
      this.preceding = Int32Array.from(tokens, (_, place) => place - 1);
      this.tokenCounts = this.alphabet.map(() => 0);
      this.N = this.M = 0;
      this.slots = new Map(); // pair → its slot
      this.free = [];
      [this.left, this.right, this.places, this.first, this.counts, this.logs] = [[], [], [], [], [], []];
      for (let place = 0; place + 1 < tokens.length; place++) {
        const [x, y] = [tokens[place], tokens[place + 1]];
        if (x === BORDER) continue;
        this.tokenCounts[x] += weights[place];
        this.N += weights[place];
        if (y === BORDER) continue;
        this.M += weights[place];
        const slot = this.slots.get(pairOf(x, y)) ?? this.add(x, y, 0, []);
        this.places[slot].push(place);
        this.counts[slot] += weights[place];
      }
      this.counts.forEach((count, slot) => { this.logs[slot] = Math.log(count); });
      this.tokenLogs = this.tokenCounts.map(Math.log);
    }

    add(x, y, count, places) {
      const slot = this.free.pop() ?? this.counts.length;
      this.slots.set(pairOf(x, y), slot);
      [this.left[slot], this.right[slot], this.places[slot], this.first[slot]] = [x, y, places, 0];
      [this.counts[slot], this.logs[slot]] = [count, Math.log(count)];
      return slot;
    }

    remove(slot) {
      this.slots.delete(pairOf(this.left[slot], this.right[slot]));
      this.free.push(slot);
      [this.counts[slot], this.places[slot]] = [0, null];
    }

    reduce(x, y, count) {
      const slot = this.slots.get(pairOf(x, y));
      if (slot === undefined) return; // the merged pair itself: "aaa"
      this.counts[slot] -= count;
      if (this.counts[slot]) this.logs[slot] = Math.log(this.counts[slot]);
      else this.remove(slot);
    }

    // Joins the pair of a slot everywhere it occurs; returns [x, y, how often it occurred, joins].
    merge(slot) {
      const { tokens, weights, following, preceding } = this;
      const [x, y, z] = [this.left[slot], this.right[slot], this.tokenCounts.length];
      const count = this.counts[slot], places = this.places[slot];
      this.remove(slot);
      const before = new Map(), after = new Map(); // neighbor → places of z
      const note = (map, token, place) => (map.has(token) ? map.get(token).push(place) : map.set(token, [place]));
      for (const place of places) {
        const right = following[place];
        if (tokens[place] !== x || tokens[right] !== y) continue;
        const end = following[right];
        [tokens[place], tokens[right]] = [z, GONE];
        [following[place], preceding[end]] = [end, place];
        note(before, tokens[preceding[place]], place);
        note(after, tokens[end], place);
      }
      // Of two in a row, "xyxy", `after` has x behind the first one, and `before` has z in front of
      // the second one: zx is counted, and then taken back for zz.
      let joins = 0;
      const total = (list) => list.reduce((sum, place) => sum + weights[place], 0);
      for (const [token, list] of after) {
        joins += total(list);
        if (token === BORDER) continue;
        this.reduce(y, token, total(list));
        this.add(z, token, total(list), list);
      }
      for (const [token, list] of before) {
        if (token === BORDER) continue;
        this.reduce(token, x, total(list));
        this.add(token, z, total(list), list.map((place) => preceding[place]));
      }
      this.tokenCounts.push(0);
      for (const [token, change] of [[x, -joins], [y, -joins], [z, joins]]) {
        this.tokenCounts[token] += change;
        this.tokenLogs[token] = Math.log(this.tokenCounts[token]);
      }
      this.N -= joins;
      this.M -= joins;
      return [x, y, count, joins];
    }

    // Returns the slot of the pair with the highest score; of equal ones, the first in the text.
    // Floating-point logarithms only tell which pairs are nearly the best.
    best(score) {
      const { counts, logs, left, right, tokenLogs, N, M } = this;
      const isGain = score === "gain";
      const all = 2 * Math.log(N) - Math.log(M), slack = isGain ? 1e-12 : 0;
      const estimate = (slot) =>
        isGain ? counts[slot] * (logs[slot] - tokenLogs[left[slot]] - tokenLogs[right[slot]] + all) : counts[slot];
      let least = -Infinity;
      for (let slot = 0; slot < counts.length; slot++) {
        if (counts[slot]) least = Math.max(least, estimate(slot) - slack * counts[slot]);
      }
      let near = [];
      for (let slot = 0; slot < counts.length; slot++) {
        if (counts[slot] && estimate(slot) + slack * counts[slot] >= least) near.push(slot);
      }
      const product = (slot) => this.tokenCounts[left[slot]] * this.tokenCounts[right[slot]];
      if (isGain && near.some((slot) => counts[slot] !== counts[near[0]] || product(slot) !== product(near[0]))) {
        const gains = near.map((slot) => gain(counts[slot], product(slot), N, M));
        const highest = Math.max(...gains);
        near = near.filter((_, i) => gains[i] === highest);
      }
      return near.reduce((one, other) => (this.firstPlace(one) < this.firstPlace(other) ? one : other));
    }

    firstPlace(slot) {
      const { tokens, following } = this;
      const [x, y, places] = [this.left[slot], this.right[slot], this.places[slot]];
      while (tokens[places[this.first[slot]]] !== x || tokens[following[places[this.first[slot]]]] !== y) this.first[slot]++;
      return places[this.first[slot]];
    }
  }

  function pairOf(x, y) {
    return x * 2 ** 26 + y;
  }

  // ---- Python's C · log(C·N² / (M·Cx·Cy)): the quotient of the integers is rounded once, then its
  // logarithm, then the product. Two pairs with different counts can have the same gain on paper, as 1
  // of 16 and 2 of 4 have (ln 16 = 2 · ln 4); whether they tie is then a matter of rounding. Math.log
  // is off in the last bit for 3 numbers of 100, so here the logarithm is worked out to 180 bits, and
  // rounded right. (That of Python is the C library's: glibc's is off for 1 gain of 1,000.)

  function gain(C, product, N, M) {
    return C * logarithm(divide(BigInt(C) * BigInt(N) ** 2n, BigInt(M) * BigInt(product)));
  }

  function divide(a, b) {
    const shift = Math.max(0, bits(b) - bits(a) + 66); // for more bits than a double has
    const scaled = a << BigInt(shift), quotient = scaled / b;
    return Number(quotient * b === scaled ? quotient : quotient | 1n) / 2 ** shift;
  }

  function bits(a) {
    return a.toString(2).length;
  }

  function logarithm(x) {
    const exponent = Math.round(Math.log2(x));
    const [one, part] = [2n ** 54n, BigInt((x / 2 ** exponent) * 2 ** 54)];
    const fixed = twiceAtanh(part - one, part + one) + BigInt(exponent) * twiceAtanh(1n, 3n);
    return Number(fixed) / 2 ** 180;
  }

  // ln((b + a) / (b − a)) · 2^180
  function twiceAtanh(a, b) {
    const one = 2n ** 180n, t = (a * one) / b;
    let sum = 0n, power = t;
    for (let k = 1n; power; k += 2n) {
      sum += power / k;
      power = (power * t * t) / (one * one);
    }
    return 2n * sum;
  }

  return { gain, logarithm }; // for the tests
}
