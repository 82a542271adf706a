// What people ask: close the folds, filter them as one types, open the one that the address names.
const folds = [...document.querySelectorAll("details.asked")];
const field = document.getElementById("find");
const topics = [...document.querySelectorAll("#topics button")];
const words = new Map(folds.map((fold) => [fold, fold.textContent.toLowerCase()]));

function filter() {
  const terms = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const topic = topics.find((button) => button.ariaPressed === "true").textContent;
  const shown = folds.filter((fold) => {
    const fits = terms.every((term) => words.get(fold).includes(term));
    fold.hidden = !fits || (topic !== "All" && fold.dataset.topic !== topic);
    return !fold.hidden;
  });
  const inQuestion = (fold) =>
    terms.filter((term) => fold.querySelector("h2").textContent.toLowerCase().includes(term)).length;
  const ranked = terms.length ? [...folds].sort((a, b) => inQuestion(b) - inQuestion(a)) : folds;
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
