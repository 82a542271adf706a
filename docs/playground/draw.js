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
  return make("span", { class: `token t ${kind}`.trim(), "data-token": token }, ...withMark(token));
}

// Returns the two parts of a token: ▁ or ##, which is a mark, and the rest.
function withMark(token) {
  const mark = [START, CONTINUATION].find((mark) => token.startsWith(mark));
  if (!mark || token === CONTINUATION) return [token];
  return [make("i", {}, mark), token.slice(mark.length)];
}

function plural(number, noun) {
  return `${withCommas(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function withCommas(number, digits = 0) {
  const [whole, rest] = number.toFixed(digits).replace("-", "−").split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return rest ? `${grouped}.${rest}` : grouped;
}
