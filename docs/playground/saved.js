// What was learned → the package's JSON (WordPiece.save), and back (WordPiece.load).
//
// A file is accepted or refused as the package does it, with its sentences. JSON.parse() would not do:
// Python tells 3 from 3.0 and reads NaN, integers of any size and lone surrogates. Two differences
// stay: Python's limit on nesting depends on its version, and two lone surrogates in a row are one
// character to JavaScript, so that a file in which they are joined is refused here.
"use strict";

const FORMAT = "wpedu.WordPiece", VERSION = 1n;
const PARTS = { score: "str", num_merges: "int", alphabet: "list", merges: "list" };
const FUNCTION = "function "; // begins the note on a score that is not in DATA.scores
const MOST_DIGITS = 4300, MOST_LEVELS = 1000; // of an integer and of nested lists, in Python

// Returns the bytes of the file.
function writeSaved(saved) {
  const head = `{"format": "${FORMAT}", "version": ${VERSION}, "sha256": "${digest(saved)}",\n`;
  const rest = ` "score": ${toJson(saved.score)}, "num_merges": ${saved.num_merges},\n "alphabet": ${toJson(saved.alphabet)},\n`;
  return toBytes(`${head}${rest} "merges": [\n${saved.merges.map((pair) => `  ${toJson(pair)}`).join(",\n")}\n]}\n`);
}

// Returns {score, num_merges, alphabet, merges}; throws an Error with a sentence if `bytes`, the file
// called `name`, are not what was saved.
function readSaved(bytes, name) {
  let saved;
  try {
    saved = parseJson(decode(bytes));
  } catch {
    throw new Error(`${name} is not complete JSON: save the tokenizer again`);
  }
  if (!(saved instanceof Map) || saved.get("format") !== FORMAT) {
    throw new Error(`${name} is not a saved WordPiece: give a file that WordPiece.save wrote`);
  }
  const version = saved.get("version");
  if (![VERSION, Number(VERSION), true].includes(version)) { // equal, in Python
    throw new Error(`${name} has format version ${spell(version, AS_REPR)}, and this wpedu reads version ${VERSION}: save the tokenizer with this wpedu, or install the one that wrote it`);
  }
  const read = Object.fromEntries(Object.keys(PARTS).map((part) => [part, saved.get(part)]));
  const damage = findDamage(read, saved.get("sha256"));
  if (damage) throw new Error(`${name} is damaged (${damage}): save the tokenizer again`);
  return read;
}

// Returns what the package cannot have saved, or that the SHA-256 differs; else null.
function findDamage(saved, sha) {
  for (const [part, kind] of Object.entries(PARTS)) {
    if (kindOf(saved[part]) !== kind) return `${part} is not a ${kind}`;
  }
  const { score, num_merges, alphabet, merges } = saved;
  if (!DATA.scores.includes(score) && !score.startsWith(FUNCTION)) return `there is no score ${spell(score, AS_REPR)}`;
  if (num_merges < merges.length) return `num_merges is ${num_merges}, and there are ${merges.length} merges`;
  const known = new Set(alphabet);
  const areChars = alphabet.every((char) => typeof char === "string" && Array.from(char).length === 1);
  if (!areChars || known.size < alphabet.length || (alphabet.length && alphabet[0] !== START)) {
    return `alphabet is not ${START} and then other characters, each once`;
  }
  for (const [i, pair] of merges.entries()) {
    if (!isMerge(pair, known)) return `merge ${i + 1}, ${toJson(pair)}, does not join two earlier subwords to a new one`;
    known.add(pair.join(""));
  }
  return sha === digest(saved) ? null : "its SHA-256 differs";
}

function isMerge(pair, known) {
  if (!Array.isArray(pair) || pair.length !== 2 || !pair.every((part) => known.has(part))) return false;
  const [x, y] = pair;
  const isOneCharacter = (x.at(-1) + y[0]).isWellFormed() && !y[0].isWellFormed();
  return !y.includes(START) && !known.has(x + y) && !isOneCharacter;
}

function kindOf(value) {
  return Array.isArray(value) ? "list" : { string: "str", bigint: "int" }[typeof value];
}

// ---- JSON as Python reads it

// Returns the text of a JSON file: UTF-8, UTF-16 or UTF-32, lone surrogates included.
function decode(bytes) {
  const [unit, isLittle, start] = encodingOf(bytes);
  if (unit === 1) return decodeUtf8(bytes.subarray(start));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chars = [];
  for (let i = start; i < bytes.length; i += unit) { // past the end, the view throws
    chars.push(unit === 2 ? String.fromCharCode(view.getUint16(i, isLittle)) : String.fromCodePoint(view.getUint32(i, isLittle)));
  }
  return chars.join("");
}

// Returns [bytes a unit, whether the lowest one comes first, where the text begins].
function encodingOf(bytes) {
  const [a, b, c, d] = bytes;
  const begin = (...mark) => mark.every((byte, i) => byte === bytes[i]);
  if (begin(0, 0, 0xfe, 0xff)) return [4, false, 4];
  if (begin(0xff, 0xfe, 0, 0)) return [4, true, 4];
  if (begin(0xfe, 0xff)) return [2, false, 2];
  if (begin(0xff, 0xfe)) return [2, true, 2];
  if (begin(0xef, 0xbb, 0xbf)) return [1, false, 3];
  if (a === 0 && bytes.length >= 4) return [b ? 2 : 4, false, 0];
  if (b === 0 && bytes.length >= 4) return [c || d ? 2 : 4, true, 0];
  return [1, false, 0]; // of two or three bytes, no encoding makes a tokenizer
}

function decodeUtf8(bytes) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const parts = [];
  let start = 0;
  for (let i = bytes.indexOf(0xed); i >= 0; i = bytes.indexOf(0xed, i + 1)) {
    const [second, third] = [bytes[i + 1], bytes[i + 2]];
    if (!(second >= 0xa0 && second < 0xc0 && third >= 0x80 && third < 0xc0)) continue;
    const surrogate = 0xd000 | ((second & 0x3f) << 6) | (third & 0x3f);
    parts.push(decoder.decode(bytes.subarray(start, i)), String.fromCharCode(surrogate));
    start = i + 3;
  }
  return parts.join("") + decoder.decode(bytes.subarray(start));
}

// Returns strings, booleans and null as they are, an array for a list, a Map for an object, a bigint
// for an integer, a number for a float. So that JSON.parse() keeps them apart, a letter is put in
// front of each string, and each number becomes a string.
function parseJson(text) {
  const part = /"([^"\\]*(?:\\[^][^"\\]*)*"?)|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|NaN|-?Infinity/g;
  const marked = text.replace(part, (number, string) => (string === undefined ? `"n${number}"` : `"s${string}`));
  const read = (value, level) => {
    if (level > MOST_LEVELS) throw new RangeError("nested too deeply");
    if (Array.isArray(value)) return value.map((one) => read(one, level + 1));
    if (value && typeof value === "object") {
      return new Map(Object.entries(value).map(([key, one]) => [key.slice(1), read(one, level + 1)]));
    }
    if (typeof value !== "string" || value[0] === "s") return typeof value === "string" ? value.slice(1) : value;
    const number = value.slice(1);
    if (!/^-?\d+$/.test(number)) return Number(number);
    if (number.replace("-", "").length > MOST_DIGITS) throw new RangeError("too many digits");
    return BigInt(number);
  };
  return read(JSON.parse(marked), 0);
}

// ---- JSON as Python writes it, so that both have the same bytes

const AS_JSON = { null: "null", true: "true", false: "false", quote: quoteJson };
const AS_REPR = { undefined: "None", null: "None", true: "True", false: "False", quote: quoteRepr };

function toJson(value) {
  return spell(value, AS_JSON);
}

function spell(value, as) {
  if (typeof value === "string") return as.quote(value);
  if (Array.isArray(value)) return `[${value.map((one) => spell(one, as)).join(", ")}]`;
  if (value instanceof Map) return `{${Array.from(value, ([key, one]) => `${as.quote(key)}: ${spell(one, as)}`).join(", ")}}`;
  return as[value] ?? (Number.isInteger(value) ? value.toFixed(1) : String(value));
}

// JSON.stringify() would write lone surrogates as \ud800.
function quoteJson(text) {
  const lone = /\\(?:u(d[89a-f]..)|[^])/g;
  return JSON.stringify(text).replace(lone, (all, code) => (code ? String.fromCharCode(parseInt(code, 16)) : all));
}

function quoteRepr(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const named = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", [quote]: `\\${quote}` };
  const escaped = (char) => {
    const code = char.codePointAt(0);
    const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
    return `\\${letter}${code.toString(16).padStart(digits, "0")}`;
  };
  const chars = Array.from(text, (char) => named[char] ?? (char !== " " && /[\p{C}\p{Z}]/u.test(char) ? escaped(char) : char));
  return quote + chars.join("") + quote;
}

// UTF-8; three bytes for a lone surrogate.
function toBytes(text) {
  const bytes = new TextEncoder().encode(text);
  if (text.isWellFormed()) return bytes;
  let at = 0;
  for (const char of text) { // U+FFFD has three bytes too, and is in their place
    const code = char.codePointAt(0);
    const length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (!char.isWellFormed()) bytes.set([0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)], at);
    at += length;
  }
  return bytes;
}

function digest(saved) {
  return sha256(toBytes(toJson(Object.keys(PARTS).map((part) => saved[part]))));
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
