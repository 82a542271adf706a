// The home page: its sentence in BERT's tokens, and in Homer's after a number of merges. The page shows
// both without this script, which rewinds, plays the first merges slowly, and follows what is typed.
"use strict";

{
  const END = 1000; // merges: where play ends
  const FIRST = 6; // merges: ▁the, which is explained
  const [field, play, slider] = [byId("text"), byId("play"), byId("merges")];
  const say = document.querySelector("#instrument .say");
  const vocabulary = Vocabulary.fromData(DATA, "gain");
  const ours = field.value; // the sentence of the page
  const bertOfOurs = [...document.querySelectorAll("#real-bert > *")].map((part) => part.cloneNode(true));
  let stops, n = END, timer = null, bert = null;

  // ---- Drawing

  function words(text, number) {
    return pretokenize(text).map((word) => encode(START + word, vocabulary, number));
  }

  // Draws words of tokens; rings those for which `isNew` is true.
  function drawWords(row, words, begins, isNew = () => false) {
    row.replaceChildren(make("span", { class: "toks" }, ...words.map((tokens, word) => {
      let start = 0;
      return make("span", { class: "w" }, ...tokens.map((token, i) => {
        const shown = makeToken(token, begins(token, i));
        if (isNew(word, token, start)) shown.classList.add("now");
        start += token.length;
        return shown;
      }));
    })));
  }

  const rowOf = (id) => byId(id).querySelector(".cut");
  const startsWithMark = (token) => token.startsWith(START);

  function tell(id, of, words) {
    byId(id).querySelector(".of").textContent = of;
    byId(id).querySelector(".count").textContent = words ? plural(words.flat().length, "token") : "";
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
    drawWords(rowOf("gain"), now, startsWithMark, isNew);
    tell("gain", plural(n, "merge"), now);
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
    drawWords(row, words(field.value, 0), startsWithMark);
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

  // ---- BERT

  // Its vocabulary, or the sentences that come instead, are loaded when somebody types.
  function loadBert() {
    bert ??= new Promise((resolve) => {
      const src = byId("home-script").src.replace("home.js", "data-bert.js");
      document.head.append(Object.assign(document.createElement("script"), { src, onload: resolve, onerror: resolve }));
    }).then(() => DATA.bert?.vocab && bertTokenizer(DATA.bert));
    return bert;
  }

  async function drawBert() {
    const text = field.value, tokenizer = await loadBert();
    if (text !== field.value) return;
    byId("real-bert").replaceChildren(...bertOfOurs.map((part) => part.cloneNode(true)));
    if (text === ours) return;
    const begins = (token, i) => i === 0;
    if (tokenizer) {
      const words = tokenizer(text).slice(1, -1).map((word) => word.map(({ token }) => token));
      drawWords(rowOf("real-bert"), words, begins);
      return tell("real-bert", "its vocabulary has 30,522 entries", words);
    }
    document.querySelector("#real-bert .of").textContent = "for the first sentence: yours needs its vocabulary";
  }

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
    drawBert();
  });
  field.addEventListener("focus", () => {
    if (timer === null) return;
    stop();
    show(END);
    say.textContent = `After ${withCommas(END)} merges.`;
  });
  addEventListener("resize", keepHeight);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) timer = setTimeout(rewind, 1500);
}
