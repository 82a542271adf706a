// A ring on each vote: t starts 30 seconds, T two minutes, and the next slide ends them.
(() => {
  const around = 2 * Math.PI * 48;
  let ring, end, seconds, frame;

  const show = (left, words) => {
    ring.querySelector(".arc").setAttribute("stroke-dasharray", `${around * left} ${around}`);
    ring.querySelector("text").innerHTML = words;
  };
  const tick = () => {
    const left = Math.max(0, (end - performance.now()) / 1000);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (left) {
      show((still ? Math.ceil(left) : left) / seconds, Math.ceil(left));
      frame = requestAnimationFrame(tick);
    } else {
      show(1, '<tspan x="58" y="54" class="up">Hands</tspan><tspan x="58" y="80" class="up">up</tspan>');
    }
  };
  const wait = () => {
    cancelAnimationFrame(frame);
    ring = Reveal.getCurrentSlide()?.querySelector(".timer");
    ring?.classList.remove("on");
  };

  Reveal.on("ready", () => {
    for (const cards of document.querySelectorAll(".cards")) {
      cards.insertAdjacentHTML("afterend", `<svg class="timer" viewBox="0 0 116 116" role="timer"
        aria-label="seconds left to vote"><circle cx="58" cy="58" r="48"/>
        <circle class="arc" cx="58" cy="58" r="48" transform="rotate(-90 58 58)"/>
        <text x="58" y="72"></text></svg>`);
    }
    wait();
  });
  Reveal.on("slidechanged", wait);
  addEventListener("keydown", (event) => {
    if (event.key === "d") {
      const { style } = document.documentElement, system = matchMedia("(prefers-color-scheme: dark)").matches;
      style.colorScheme = (style.colorScheme || (system ? "dark" : "light")) === "dark" ? "light" : "dark";
    }
    if (!ring || !/^t$/i.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    seconds = event.key === "t" ? 30 : 120;
    end = performance.now() + 1000 * seconds;
    cancelAnimationFrame(frame);
    ring.classList.add("on");
    tick();
  });
})();
