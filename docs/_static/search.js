// The search page: questions and sections by Pagefind, where the site has its index. From disk, no
// browser can load the index: Sphinx's results stay, and a sentence says what works.
const query = new URLSearchParams(location.search).get("q")?.trim();
const MOST = 30;
const KINDS = { question: 1.6, section: 1, reference: 0.5 }; // what a match in each is worth
const COMMON = new Set(
  `a about after all also an and any are as at be been between by can can't cannot could did do does doesn't
  don't for from get had has have he how i if in into is isn't it its just may me might more my need no not of
  on one or other our out over really should so some such than that the their them then there these they this
  to too use using was we were what when where which while who why will with without would you your`.split(/\s+/),
);

function entry({ url, meta, plain_excerpt }) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = url.replace(/^\//, "");
  link.textContent = meta.title;
  const page = document.createElement("small");
  page.textContent = meta.page;
  const excerpt = document.createElement("p");
  excerpt.textContent = plain_excerpt.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
  item.append(link, " ", page, excerpt);
  return item;
}

function say(text, address, words) {
  const note = document.createElement("p");
  const link = document.createElement("a");
  link.href = address;
  link.textContent = words;
  note.append(text, link, ".");
  document.getElementById("search-results").before(note);
}

// Returns the words of a question that say what it is about.
function wordsOf(text) {
  const bare = (word) => word.replace(/^[("“'?!.,;:]+|[)"”'?!.,;:]+$/g, "");
  const all = text.toLowerCase().split(/[\s/]+/).map(bare).filter(Boolean);
  const rare = all.filter((word) => !COMMON.has(word));
  return new Set(rare.length ? rare : all);
}

// Returns the results with any of the words, best first. A rare word is worth more than one that is
// everywhere, and a place that is about a word more than one that mentions it.
async function rank(pagefind, text) {
  const scores = new Map();
  for (const word of wordsOf(text)) {
    const searches = Object.keys(KINDS).map(async (is) => {
      const { results } = await pagefind.search(word, { filters: { is } });
      return results.map((result) => ({ result, is }));
    });
    const found = (await Promise.all(searches)).flat();
    for (const { result, is } of found) {
      const worth = Math.log(1 + 800 / found.length) * KINDS[is] * (result.score / (1 + result.score));
      const { score } = scores.get(result.id) ?? { score: 0 };
      scores.set(result.id, { result, score: score + worth });
    }
  }
  return [...scores.values()].sort((a, b) => b.score - a.score).map(({ result }) => result);
}

async function search(text) {
  const pagefind = await import(new URL("pagefind/pagefind.js", document.baseURI));
  await pagefind.options({ baseUrl: "/" });
  const best = (await rank(pagefind, text)).slice(0, MOST);
  const entries = await Promise.all(best.map((result) => result.data()));
  const list = document.createElement("ol");
  list.id = "found";
  list.append(...entries.map(entry));
  document.getElementById("search-results").replaceWith(list);
  if (!entries.length) list.textContent = "Nothing found. Try other words.";
}

if (query) {
  addEventListener("DOMContentLoaded", () => search(query).catch(() => {
    if (location.protocol === "file:") {
      const address = `ask.html?q=${encodeURIComponent(query)}`;
      say("From disk, this search misses symbols, such as ##. Questions are filtered on ", address, "What people ask");
    }
  }));
}
