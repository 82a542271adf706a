// What the home page, the playground and the live figures draw with: elements, tokens and numbers.
"use strict";

const byId = (id) => document.getElementById(id);

// Returns an element: make("span", {class: "token"}, "text", child, …).
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Returns a token in the look of the site: its color says whether it begins a word. In ## notation,
// `begins` tells that, and otherwise the ▁.
function makeToken(token, begins = token.startsWith(START)) {
  const kind = token === UNKNOWN ? "u" : SPECIAL_TOKENS.includes(token) ? "s" : begins ? "b" : "";
  return turn(make("span", { class: `token t ${kind}`.trim(), "data-token": token }, ...withMark(token)));
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

// Turns a word or a token in the direction of its letters or digits, whichever way the sentence runs.
function turn(element) {
  const text = element.textContent;
  if (RIGHT_TO_LEFT.test(text)) element.dir = "rtl";
  else if (/[\p{L}\p{N}]/u.test(text)) element.dir = "ltr";
  return element;
}

// Returns the two parts of a token: ▁ or ##, which is a mark, and the rest.
function withMark(token) {
  const mark = [START, CONTINUATION].find((mark) => token.startsWith(mark));
  if (!mark || token === CONTINUATION) return [withCircle(token)];
  return [make("i", {}, mark), withCircle(token.slice(mark.length))];
}

// A mark that has no letter in front of it gets a dotted circle.
function withCircle(text) {
  return MARK.test(text) ? `◌${text}` : text;
}

// Returns a word of a GPT model (gpt.js): below tokens that share a character is that character.
function drawGptWord(groups) {
  return turn(make("span", { class: "w" }, ...groups.map(({ tokens, char }, g) => {
    const drawn = tokens.map((token, i) => drawGptToken(token, g === 0 && i === 0));
    if (!char) return drawn[0];
    return make("span", { class: "g" }, make("span", { class: "gt" }, ...drawn), make("span", { class: "gc" }),
      make("span", { class: "ch" }, Array.from(char, (one) => (isShownAsCode(one) && !MARK.test(one) ? codeOf(one) : withCircle(one))).join(" ")));
  })));
}

// Spaces can be seen, and a part of a character is its bytes.
function drawGptToken({ id, parts }, begins) {
  const isPart = parts.some((part) => part.bytes);
  const shown = make("span", { class: `token t ${begins ? "b" : ""} ${isPart ? "x" : ""}`.trim(), "data-id": id });
  parts.forEach((part, i) => {
    if (i && (part.bytes || parts[i - 1].bytes)) shown.append(" ");
    if (part.bytes) shown.append(part.bytes.map(toHex).join(" "));
    else if (part in SPACES || (isShownAsCode(part) && !MARK.test(part))) shown.append(make("i", {}, part === " " ? "␣" : SPACES[part] ?? codeOf(part)));
    else shown.append(part);
  });
  if (MARK.test(shown.textContent)) shown.prepend("◌");
  shown.normalize();
  return Object.assign(shown, { parts });
}

function toHex(byte) {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}

function plural(number, noun) {
  return `${withCommas(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function withCommas(number, digits = 0) {
  const [whole, rest] = number.toFixed(digits).replace("-", "−").split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return rest ? `${grouped}.${rest}` : grouped;
}

// ---- Characters that could not be seen

const MARK = /^\p{M}/u;
const SPACES = { " ": "·", "\n": "↵", "\t": "→", "\u00a0": "⍽" };

// Only for showing it: the tokens do not depend on this.
function isShownAsCode(char) {
  return !SPACES[char] && /^[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]$/u.test(char);
}

function codeOf(char) {
  return `U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

// Loads a script; the promise fails if that cannot be done.
function loadScript(src) {
  return new Promise((resolve, reject) => {
    document.head.append(Object.assign(document.createElement("script"), { src, onload: resolve, onerror: reject }));
  });
}
