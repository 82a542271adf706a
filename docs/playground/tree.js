// A token → the tree of the merges that made it: its characters below, the token on top.
"use strict";

const COLUMN = 42, LEVEL = 44, BOX = 30; // pixels

// Returns {token, height, left and right: trees, or null for a character, merge, x: its middle}.
function mergeTree(token, vocabulary, firstColumn = 0) {
  const merge = vocabulary.mergeOf(token);
  if (!merge) return { token, merge, left: null, right: null, height: 0, x: firstColumn + 0.5 };
  const left = mergeTree(merge.x, vocabulary, firstColumn);
  const right = mergeTree(merge.y, vocabulary, firstColumn + Array.from(merge.x).length);
  const height = 1 + Math.max(left.height, right.height);
  return { token, merge, left, right, height, x: firstColumn + Array.from(token).length / 2 };
}

// Returns the merges of a tree in the order in which they were made, each once.
function mergeSteps(tree) {
  if (!tree.merge) return [];
  const steps = [...mergeSteps(tree.left), ...mergeSteps(tree.right), tree.merge];
  const byNumber = new Map(steps.map((merge) => [merge.number, merge]));
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
}

function drawTree(tree) {
  const columns = Array.from(tree.token).length, width = COLUMN * columns + 2 * COLUMN;
  const isTurned = RIGHT_TO_LEFT.test(tree.token);
  const place = (x) => COLUMN * (isTurned ? columns - x : x);
  const height = LEVEL * tree.height + BOX + 4;
  const told = mergeSteps(tree).map(({ number, x, y }) => `${number}: ${x} + ${y}`).join("; ");
  const svg = makeSvg("svg", {
    viewBox: `${-COLUMN} 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `The merges of ${tree.token}: ${told || "none"}`,
  });
  // On a narrow screen it shrinks as far as it can be read, and is then scrolled.
  Object.assign(svg.style, { minWidth: `${0.65 * width}px`, minHeight: `${0.65 * height}px` });
  const top = (node) => 2 + LEVEL * (tree.height - node.height);
  const draw = (node) => {
    const [x, y] = [place(node.x), top(node)];
    const children = [node.left, node.right].filter(Boolean);
    for (const child of children) {
      svg.append(makeSvg("line", { x1: x, y1: y + BOX / 2, x2: place(child.x), y2: top(child) + BOX / 2 }));
    }
    children.forEach(draw);
    const boxWidth = Math.max(34, 12 * Array.from(node.token).length + 14);
    const box = { x: x - boxWidth / 2, y, width: boxWidth, height: BOX, rx: 6 };
    svg.append(makeSvg("rect", { ...box, class: node.token.startsWith(START) ? "begins" : "continues" }));
    svg.append(makeSvg("text", { x, y: y + 21, direction: isTurned ? "rtl" : "ltr" }, withCircle(node.token)));
    if (node.merge) {
      // Beside the box, and after the lines, so that none strikes it.
      svg.append(makeSvg("text", { x: x + boxWidth / 2 + 6, y: y + 21, class: "number" }, withCommas(node.merge.number)));
    }
  };
  draw(tree);
  return svg;
}

function makeSvg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Draws the tree of a token of a row, and its merges as a table.
function drawTreeOf(row, cell, word) {
  const [title, about] = [byId("tree-title"), byId("tree").querySelector(".about")];
  const [picture, steps] = [byId("tree").querySelector(".picture"), byId("tree").querySelector(".steps")];
  const isUnknown = cell.token === UNKNOWN;
  const tree = isUnknown ? null : mergeTree(cell.subword, ROWS[row].vocabulary);
  picture.hidden = steps.hidden = !tree?.merge;
  byId("tree").querySelector("details").open = false;
  title.replaceChildren("How ", makeToken(cell.token, row === "bert" ? cell.start <= START.length : undefined), " was made");
  const { id, count, merge } = facts(row, cell, state.n);
  const told = id === null ? [] : [`id ${withCommas(id)}`];
  if (isUnknown) {
    const chars = Array.from(word);
    const shown = make("bdi", {}, ...chars.slice(0, 50).map(drawCharacter), chars.length > 50 ? "…" : "");
    about.replaceChildren("[UNK] replaces the word “", shown, `” (${whyUnknown(word)}).`, told.length ? ` It has the ${told[0]}.` : "");
    return;
  }
  if (count !== null) told.push(count ? `${withCommas(count)} × in ${model.name}` : `none is left in ${model.name}: later merges have used it up`);
  told.push(merge ? `merge ${withCommas(merge.number)}` : "a single character, which needs no merges");
  about.textContent = told.join(" · ");
  if (!merge) return;
  picture.replaceChildren(drawTree(tree));
  steps.lastElementChild.replaceChildren(drawSteps(mergeSteps(tree), ROWS[row].vocabulary));
}

function drawSteps(merges, { score }) {
  const hasCounts = merges[0].count !== undefined, hasGains = hasCounts && score === "gain";
  const heads = ["merge", "pair", "makes", ...(hasCounts ? ["frequency"] : []), ...(hasGains ? ["gain"] : [])];
  const body = merges.map(({ number, x, y, token, count, gain }) => {
    const values = [withCommas(number), `${x} + ${y}`, token];
    if (hasCounts) values.push(withCommas(count));
    if (hasGains) values.push(withCommas(gain, 1));
    return make("tr", {}, ...values.map((value) => turn(make("td", {}, value))));
  });
  const head = make("tr", {}, ...heads.map((name) => make("th", { scope: "col" }, name)));
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
}
