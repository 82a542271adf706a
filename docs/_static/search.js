// The search page, by Pagefind, where the site has its index. Pagefind wants a page to have every
// word, which few have of a whole question: each word is searched alone, and the scores, which are
// high for rare words and for titles, are added. From disk, no browser can load the index: Sphinx's
// results stay, and a sentence says what works.
const query = new URLSearchParams(location.search).get("q")?.trim();
const MOST = 30;
const WEIGHTS = { question: 2, section: 1, reference: 0.3 };

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

async function search(text) {
  const pagefind = await import(new URL("pagefind/pagefind.js", document.baseURI));
  await pagefind.options({ baseUrl: "/" });
  const found = new Map();
  for (const word of new Set(text.toLowerCase().split(/[\s/]+/))) {
    for (const [kind, weight] of Object.entries(WEIGHTS)) {
      for (const result of (await pagefind.search(word, { filters: { is: kind } })).results) {
        const before = found.get(result.id) ?? { score: 0, rarest: result };
        const score = before.score + weight * result.score;
        const rarest = result.score > before.rarest.score ? result : before.rarest;
        found.set(result.id, { score, rarest });
      }
    }
  }
  const best = [...found.values()].sort((a, b) => b.score - a.score).slice(0, MOST);
  const entries = await Promise.all(best.map(({ rarest }) => rarest.data()));
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
