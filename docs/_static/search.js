// The search page: questions first, then sections, by Pagefind, where the site has its index. From
// disk, no browser can load the index: Sphinx's results stay, and a sentence says what works.
const query = new URLSearchParams(location.search).get("q")?.trim();
const MOST = 30;

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
  const kinds = ["question", "section", "reference"];
  const found = await Promise.all(kinds.map((kind) => pagefind.search(text, { filters: { is: kind } })));
  const best = found.flatMap(({ results }) => results).slice(0, MOST);
  const entries = await Promise.all(best.map((result) => result.data()));
  const list = document.createElement("ol");
  list.id = "found";
  list.append(...entries.map(entry));
  document.getElementById("search-results").replaceWith(list);
  if (!entries.length) list.textContent = "Nothing found. Try fewer or other words.";
}

if (query) {
  addEventListener("DOMContentLoaded", () => search(query).catch(() => {
    if (location.protocol === "file:") {
      const address = `ask.html?q=${encodeURIComponent(query)}`;
      say("From disk, this search misses symbols, such as ##. Questions are filtered on ", address, "What people ask");
    }
  }));
}
