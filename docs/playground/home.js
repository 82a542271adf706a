// The home page: its sentence in the tokens of BERT and GPT-4o, and in Homer's after a number of merges.
// The page shows them without this script, which rewinds, plays the first merges slowly, and follows
// what is typed.
"use strict";

{
  const END = 1000; // merges: where play ends
  const FIRST = 6; // merges: ▁the, which is explained
  const [field, play, slider] = [byId("text"), byId("play"), byId("merges")];
  const say = document.querySelector("#instrument .say");
  const vocabulary = Vocabulary.fromData(DATA, "gain");
  const ours = field.value; // the sentence of the page
  let stops, n = END, timer = null;

  // ---- Drawing

  function words(text, number) {
    return pretokenize(text).map((word) => encode(START + word, vocabulary, number));
  }

  const rowOf = (id) => byId(id).querySelector(".cut");

  // Puts words in a row, in the direction of the sentence.
  function drawRow(row, words) {
    const dir = field.matches(":dir(rtl)") ? "rtl" : "ltr";
    row.replaceChildren(make("span", { class: "toks", dir }, ...words));
  }

  // Returns a word of tokens; rings those for which `isNew` is true.
  function drawWord(tokens, begins, isNew = () => false) {
    let start = 0;
    return turn(make("span", { class: "w" }, ...tokens.map((token, i) => {
      const shown = makeToken(token, begins(token, i));
      if (isNew(token, start)) shown.classList.add("now");
      start += token.length;
      return shown;
    })));
  }

  function drawOurs(words, isNew = () => false) {
    const startsWithMark = (token) => token.startsWith(START);
    const drawn = words.map((tokens, word) => drawWord(tokens, startsWithMark, (...token) => isNew(word, ...token)));
    drawRow(rowOf("gain"), drawn);
  }

  // Puts words below each other, where all rows have as many and there is room.
  function align() {
    const rows = [...document.querySelectorAll("#instrument .toks")].map((row) => [...row.children]);
    for (const word of rows.flat()) word.style.minWidth = "";
    if (matchMedia("(max-width: 60rem)").matches || rows.some((row) => row.length !== rows[0].length)) return;
    const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].getBoundingClientRect().width)));
    rows.forEach((row) => row.forEach((word, i) => (word.style.minWidth = `${widths[i]}px`)));
    if (!rows.every((row) => row.at(-1)?.offsetTop === row[0]?.offsetTop)) for (const word of rows.flat()) word.style.minWidth = "";
  }

  // Shows the tokens after `number` merges; as a step, with a ring around those that it made.
  function show(number, isStep = false) {
    const now = words(field.value, number);
    const before = isStep && words(field.value, number - 1).map((tokens) => {
      let start = 0;
      return new Set(tokens.map((token) => `${(start += token.length)} ${token}`));
    });
    const isNew = (word, token, start) => before && !before[word].has(`${start + token.length} ${token}`);
    n = number;
    drawOurs(now, isNew);
    byId("gain").querySelector(".of").textContent = `${plural(n, "merge")} so far; you build it`;
    byId("gain").querySelector(".count").textContent = plural(now.flat().length, "token");
    if (n === END) align();
    document.querySelector("#instrument .all").search = new URLSearchParams({ merges: n, text: field.value });
    slider.value = stops.findLastIndex((stop) => stop <= n);
    slider.setAttribute("aria-valuetext", plural(n, "merge"));
    slider.style.setProperty("--place", slider.value / Math.max(1, stops.length - 1));
    if (isStep) tellMerge(number);
  }

  function tellMerge(number) {
    const { x, y, token } = vocabulary.merge(number - 1);
    say.replaceChildren(make("b", {}, `Merge ${withCommas(number)}: ${x} + ${y} → ${token}.`),
      " No other pair had a higher gain.");
  }

  // The merges at which the sentence changes. The row keeps the height that it has with single letters.
  function read() {
    const texts = new Set(pretokenize(field.value));
    const numbers = [...texts].flatMap((word) => changesOf(START + word, vocabulary));
    stops = [0, ...new Set(numbers.sort((a, b) => a - b))];
    slider.max = stops.length - 1;
    keepHeight();
  }

  function keepHeight() {
    const row = rowOf("gain"), shown = [...row.childNodes];
    row.style.minHeight = "";
    drawOurs(words(field.value, 0));
    row.style.minHeight = `${row.getBoundingClientRect().height}px`;
    row.replaceChildren(...shown);
  }

  // ---- Play

  function stop() {
    clearTimeout(timer);
    timer = null;
    play.setAttribute("aria-label", "Play");
    play.firstElementChild.textContent = "▶";
  }

  // From change to change: slowly to the sixth merge, which stays for a while, and then faster.
  function run(wait) {
    play.setAttribute("aria-label", "Pause");
    play.firstElementChild.textContent = "❚❚";
    timer = setTimeout(() => {
      const next = stops.find((stop) => stop > n && stop <= END);
      if (next === undefined) {
        show(END);
        say.textContent = `After ${withCommas(END)} merges. Blue begins a word, yellow continues it.`;
        return stop();
      }
      show(next, true);
      run(next < FIRST ? 350 : next === FIRST ? 3500 : 350);
    }, wait);
  }

  function rewind() {
    show(0);
    say.textContent = "Rewind: training began with single letters …";
    run(1200);
  }

  // ---- Real tokenizers

  // Returns a function that shows what is typed in the row `id`. Its list is loaded at the first call;
  // until it is here, the row keeps the first sentence's tokens, and says so.
  //
  // `load(onPart)` promises a function, text → {words (elements), count}, or nothing without a list.
  function follow(id, load) {
    const row = byId(id);
    const first = [...row.children].map((part) => part.cloneNode(true));
    const restore = () => row.replaceChildren(...first.map((part) => part.cloneNode(true)));
    const explain = (why) => {
      if (field.value !== ours) row.querySelector(".of").textContent = `for the first sentence: ${why}`;
    };
    const onPart = (done, parts) => explain(`yours is coming, ${done} of ${parts} parts are here`);
    let cut;
    return async () => {
      const text = field.value;
      if (text === ours) {
        restore();
        return align();
      }
      if (!cut) {
        explain("yours is coming");
        cut = await load(onPart).catch(() => null);
        if (!cut) return explain("yours needs a list that is not here");
      }
      const { words, count } = await cut(text);
      if (text !== field.value) return;
      restore();
      drawRow(rowOf(id), words);
      row.querySelector(".count").textContent = plural(count, "token");
      align();
    };
  }

  const followers = [
    follow("real-bert", async () => {
      if (!DATA.bert) await loadScript(byId("home-script").src.replace("home.js", "data-bert.js"));
      const tokenize = bertTokenizer(DATA.bert);
      return (text) => {
        const words = tokenize(text).slice(1, -1).map((word) => word.map(({ token }) => token));
        return { words: words.map((tokens) => drawWord(tokens, (token, i) => i === 0)), count: words.flat().length };
      };
    }),
    follow("o200k_base", async (onPart) => {
      const gpt = gptModel("o200k_base");
      await gpt?.load(onPart);
      return gpt && (async (text) => {
        const { words, count } = await gpt.tokenize(text);
        return { words: words.map(drawGptWord), count };
      });
    }),
  ];

  // ---- Start

  const hint = document.querySelector("#instrument .hint");
  for (const part of [play, slider, hint]) part.hidden = false;
  read();
  show(END);
  play.addEventListener("click", () => (timer === null ? rewind() : stop()));
  slider.addEventListener("input", () => {
    stop();
    const number = stops[slider.valueAsNumber];
    show(number, number > 0);
    if (!number) say.textContent = "Single letters: no merges yet.";
  });
  field.addEventListener("input", () => {
    stop();
    hint.hidden = field.value !== ours;
    read();
    show(n);
    say.textContent = `After ${plural(n, "merge")}.`;
    for (const show of followers) show();
  });
  field.addEventListener("focus", () => {
    if (timer === null) return;
    stop();
    show(END);
    say.textContent = `After ${withCommas(END)} merges.`;
  });
  addEventListener("resize", () => {
    keepHeight();
    align();
  });
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) timer = setTimeout(rewind, 1500);
}
