// What people ask: close the folds, filter them as one types, open the one that the address names.
// A fold stays if its words, weighed by how rare they are, score half of the best fold's or more.
const folds = [...document.querySelectorAll("details.asked")];
const field = document.getElementById("find");
const topics = [...document.querySelectorAll("#topics button")];
const words = new Map(folds.map((fold) => [fold, fold.textContent.toLowerCase()]));

function filter() {
  const terms = [...new Set(field.value.toLowerCase().match(/[^\s?.,:;"()'`‘’“”]+(?:'[^\s?.,:;"()'`‘’“”]+)*/g))];
  const topic = topics.find((button) => button.ariaPressed === "true").textContent;
  const score = new Map(folds.map((fold) => [fold, 0]));
  for (const term of terms) {
    const found = folds.filter((fold) => words.get(fold).includes(term));
    const rare = Math.log(1 + folds.length / found.length);
    for (const fold of found) {
      const inQuestion = fold.querySelector("h2").textContent.toLowerCase().includes(term);
      score.set(fold, score.get(fold) + (inQuestion ? 2 : 1) * rare);
    }
  }
  const least = Math.max(...score.values()) / 2;
  const shown = folds.filter((fold) => {
    const fits = !field.value.trim() || (score.get(fold) && score.get(fold) >= least);
    fold.hidden = !fits || (topic !== "All" && fold.dataset.topic !== topic);
    return !fold.hidden;
  });
  const ranked = [...folds].sort((a, b) => score.get(b) - score.get(a));
  ranked.forEach((fold) => fold.parentNode.append(fold));
  const none = "Nothing found. Try fewer or other words.";
  document.querySelector("#asked .count").textContent =
    shown.length === folds.length ? "" : shown.length ? `${shown.length} of ${folds.length}` : none;
}

function press(chosen) {
  topics.forEach((button) => (button.ariaPressed = String(button === chosen)));
  filter();
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = target?.closest("details.asked");
  if (fold) {
    fold.open = true;
    fold.scrollIntoView();
  }
}

folds.forEach((fold) => {
  fold.open = false;
  fold.addEventListener("toggle", () => {
    if (fold.open) history.replaceState(null, "", `#${fold.id}`);
  });
});
document.querySelector(".asked-top").hidden = false;
topics.forEach((button) => button.addEventListener("click", () => press(button)));
field.addEventListener("input", filter);
field.value = new URLSearchParams(location.search).get("q") ?? "";
press(topics[0]);
openTarget();
addEventListener("hashchange", openTarget);
