// What was learned → the package's JSON (WordPiece.save), and back.
"use strict";

const FORMAT = "wpedu.WordPiece", VERSION = 1;
const PARTS = ["score", "num_merges", "alphabet", "merges"];

function writeSaved(saved) {
  const head = `{"format": "${FORMAT}", "version": ${VERSION}, "sha256": "${digest(saved)}",\n`;
  const rest = ` "score": ${toJson(saved.score)}, "num_merges": ${saved.num_merges},\n "alphabet": ${toJson(saved.alphabet)},\n`;
  return `${head}${rest} "merges": [\n${saved.merges.map((pair) => `  ${toJson(pair)}`).join(",\n")}\n]}\n`;
}

// Throws an Error with a sentence if `content` is not what was saved.
function readSaved(content) {
  let saved;
  try {
    saved = JSON.parse(content);
  } catch {
    throw new Error("it is not whole JSON.");
  }
  if (saved?.format !== FORMAT) throw new Error("it is no tokenizer that wpedu saved.");
  if (saved.version !== VERSION) throw new Error(`it is of format version ${saved.version}, and this page reads version ${VERSION}.`);
  if (PARTS.some((part) => saved[part] === undefined) || saved.sha256 !== digest(saved)) {
    throw new Error("it was changed since it was saved: its SHA-256 differs.");
  }
  return saved;
}

// As Python's json.dumps() writes it, so that both have the same bytes.
function toJson(value) {
  return Array.isArray(value) ? `[${value.map(toJson).join(", ")}]` : JSON.stringify(value);
}

function digest(saved) {
  return sha256(new TextEncoder().encode(toJson(PARTS.map((part) => saved[part]))));
}

// FIPS 180-4. The browser's own is there on secure pages only, and not for a site in a local network.
function sha256(bytes) {
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0;
  const constants = primes.map((prime) => fraction(Math.cbrt(prime)));
  const hash = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, bytes.length / 2 ** 29);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const rotate = (x, by) => (x >>> by) | (x << (32 - by));
  const words = new Int32Array(64);
  for (let start = 0; start < padded.length; start += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        words[i] = view.getInt32(start + 4 * i);
        continue;
      }
      const [p, q] = [words[i - 15], words[i - 2]];
      words[i] = words[i - 16] + (rotate(p, 7) ^ rotate(p, 18) ^ (p >>> 3)) + words[i - 7] + (rotate(q, 17) ^ rotate(q, 19) ^ (q >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const one = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + words[i]) | 0;
      const two = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => { hash[i] = (hash[i] + value) | 0; });
  }
  return hash.map((value) => (value >>> 0).toString(16).padStart(8, "0")).join("");
}
