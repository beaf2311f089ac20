"use strict";
(() => {
  const all = (css, from = document) => Array.from(from.querySelectorAll(css));
  const one = (css, from = document) => from.querySelector(css);
  const scenarios = all(".scenario");

  // Light and dark.
  const theme = one("#theme");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.style.colorScheme ? root.style.colorScheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.style.colorScheme = dark ? "light" : "dark";
  });

  // Filter and search.
  const search = one("#search"), tag = one("#tag"), shown = one("#shown"), none = one("#none");
  const outcomes = new Set();
  let chosen = "";
  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const s of scenarios) {
      const fits = (!outcomes.size || outcomes.has(s.dataset.outcome)) &&
        (!chosen || (" " + s.dataset.tags).includes(" " + chosen + " ")) &&
        words.every(w => s.dataset.find.includes(w));
      s.hidden = !fits;
      if (fits) n++;
    }
    shown.textContent = n === scenarios.length ? n + " scenarios" : n + " of " + scenarios.length + " scenarios";
    none.hidden = n > 0 || !scenarios.length;
  }
  search.addEventListener("input", filter);
  for (const chip of all("[data-outcome]", one(".chips"))) {
    chip.addEventListener("click", () => {
      const o = chip.dataset.outcome, on = !outcomes.has(o);
      if (on) outcomes.add(o); else outcomes.delete(o);
      chip.setAttribute("aria-pressed", on);
      filter();
    });
  }
  function choose(value, name) {
    chosen = value;
    tag.hidden = !value;
    tag.textContent = name + " ×";
    filter();
  }
  tag.addEventListener("click", () => choose("", ""));
  filter();

  // A history unfolds when its scenario is opened.
  async function unfold(scenario) {
    const place = one(".fold[data-fold]", scenario);
    if (!place) return;
    const fold = one("#fold-" + place.dataset.fold);
    delete place.dataset.fold;
    place.setAttribute("aria-busy", "true");
    try {
      const bytes = Uint8Array.from(atob(fold.content.textContent), c => c.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      place.innerHTML = await new Response(stream).text(); // made by the harness, every string in it escaped
      fold.remove();
      name(scenario);
    } catch (e) {
      place.textContent = "The history could not be unfolded: " + e.message + ". It stands in the evidence.";
    }
    place.removeAttribute("aria-busy");
  }
  // A mark tells its record's words, which stand in the list.
  function name(scenario) {
    for (const entry of all(".records li[data-n]", scenario)) {
      const mark = one('.mark[data-n="' + entry.dataset.n + '"]', scenario);
      if (!mark) continue;
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      title.textContent = "#" + entry.dataset.n + " " + one(".words", entry).textContent;
      mark.prepend(title);
    }
  }
  const ready = new WeakMap();
  function opened(scenario) {
    if (!ready.has(scenario)) ready.set(scenario, unfold(scenario));
    return ready.get(scenario);
  }
  for (const s of scenarios) s.addEventListener("toggle", () => { if (s.open) opened(s); });

  // One record is chosen at a time, and shown in the inspector.
  const inspector = one("#inspector");
  let at = null; // its scenario and number
  const marks = (scenario, n) => all('[data-n="' + n + '"]', scenario);
  function inspect(scenario, n, scroll) {
    const entry = one('.records li[data-n="' + n + '"]', scenario);
    if (!entry) return;
    for (const m of all(".chosen")) m.classList.remove("chosen");
    for (const m of marks(scenario, n)) m.classList.add("chosen");
    at = { scenario, n: Number(n) };
    one(".n", inspector).textContent = "#" + n;
    one(".what", inspector).textContent = one(".when", entry).textContent + "  " + one(".who", entry).textContent + ": " + one(".words", entry).textContent;
    one("pre", inspector).textContent = one("pre", entry).textContent;
    inspector.hidden = false;
    const mark = one('.mark[data-n="' + n + '"]', scenario);
    if (scroll && mark) mark.scrollIntoView({ block: "center", inline: "nearest" });
    else if (scroll) { one(".records", scenario).open = true; entry.scrollIntoView({ block: "center" }); }
  }
  function step(by) {
    if (!at) return;
    const list = all(".records li[data-n]", at.scenario).map(e => Number(e.dataset.n));
    const next = list[list.indexOf(at.n) + by];
    if (next) inspect(at.scenario, next, true);
  }
  function close() {
    inspector.hidden = true;
    at = null;
    for (const m of all(".chosen, .hit, .on")) m.classList.remove("chosen", "hit", "on");
  }

  // A finding shows the records that it rests on.
  async function follow(finding, goto) {
    const scenario = finding.closest(".scenario");
    await opened(scenario);
    for (const m of all(".hit, .on")) m.classList.remove("hit", "on");
    finding.classList.add("on");
    const numbers = finding.dataset.records.split(" ").filter(Boolean);
    for (const n of numbers) for (const m of marks(scenario, n)) m.classList.add("hit");
    inspect(scenario, goto || Math.min(...numbers), true);
  }

  document.addEventListener("click", e => {
    const t = e.target.closest("[data-goto], [data-show], .timeline .mark, .records li[data-n] > details > summary, [data-step], [data-close], [data-copy], [data-tag], .facts a, .finding");
    if (!t) return;
    if (t.dataset.tag !== undefined) {
      choose(t.dataset.tag, t.dataset.name);
      one("#scenarios").scrollIntoView();
    } else if (t.dataset.goto) follow(t.closest(".finding"), t.dataset.goto);
    else if (t.dataset.show !== undefined) follow(t.closest(".finding"));
    else if (t.dataset.step) step(Number(t.dataset.step));
    else if (t.dataset.close !== undefined) close();
    else if (t.dataset.copy !== undefined) copy(t);
    else if (t.matches(".mark")) inspect(t.closest(".scenario"), t.dataset.n, false);
    else if (t.matches("summary")) inspect(t.closest(".scenario"), t.closest("li").dataset.n, false);
    else if (t.matches(".finding") && !String(getSelection())) follow(t);
  });
  function copy(button) {
    const range = document.createRange();
    range.selectNodeContents(one("code", button.parentElement));
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    try { button.textContent = document.execCommand("copy") ? "copied" : "selected"; } catch { button.textContent = "selected"; }
  }

  document.addEventListener("keydown", e => {
    const typing = e.target.matches("input");
    if (e.key === "Escape") {
      if (typing && search.value) { search.value = ""; filter(); } else close();
    } else if (typing || e.ctrlKey || e.metaKey || e.altKey) return;
    else if (e.key === "/") { e.preventDefault(); search.focus(); }
    else if (e.target.matches(".scroll") && (e.key === "ArrowDown" || e.key === "ArrowUp")) {
      e.preventDefault();
      const scenario = e.target.closest(".scenario");
      if (at && at.scenario === scenario) step(e.key === "ArrowDown" ? 1 : -1);
      else inspect(scenario, one(".timeline .mark", scenario).dataset.n, true);
    }
  });

  // An address with #id opens that scenario, with #id:n at that record.
  async function arrive() {
    const [id, n] = decodeURIComponent(location.hash.slice(1)).split(/:(\d+)$/);
    const s = scenarios.find(s => s.dataset.id === id);
    if (!s) return;
    s.hidden = false;
    s.open = true;
    await opened(s);
    s.scrollIntoView();
    if (n) inspect(s, n, true);
  }
  addEventListener("hashchange", arrive);
  arrive();

  // On paper every scenario that is open is unfolded, and so is each that did not pass.
  addEventListener("beforeprint", () => { for (const s of scenarios) if (!s.hidden && (s.dataset.outcome === "violation" || s.open)) s.open = true; });
})();
