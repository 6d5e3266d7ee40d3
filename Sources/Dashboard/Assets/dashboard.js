// The pages work without this script. It asks at once when a choice changes, sorts tables, shows values under the
// pointer and with the arrow keys, says that a page is loading, and keeps the live view up to date.
"use strict";

const make = (tag, properties, role) => {
  const element = Object.assign(document.createElement(tag), properties);
  if (role) element.setAttribute("role", role);
  return element;
};

// On a phone the views are wider than the window.
for (const link of document.querySelectorAll(".doors [aria-current], .views [aria-current]")) {
  link.scrollIntoView({ block: "nearest", inline: "center" });
}

// A choice asks at once. On the page that answers, the cursor is where it was.
const asked = sessionStorage.getItem("asked");
sessionStorage.removeItem("asked");
for (const control of document.querySelectorAll("select[form=view]")) {
  if (control.name === asked) control.focus({ preventScroll: true });
  control.addEventListener("change", () => {
    sessionStorage.setItem("asked", control.name);
    control.form.requestSubmit();
  });
}

// Loading. Who stops it keeps the page, with the choices that its figures are of.
const wait = make("div", { className: "wait", id: "wait", hidden: true });
const said = make("span", {}, "status");
const stop = make("button", { type: "button", textContent: "Stop" });
wait.append(said, stop);
document.body.append(wait);
let timer;
const say = (words, canStop) => {
  clearTimeout(timer);
  wait.hidden = !words;
  stop.hidden = !canStop;
  said.textContent = words;
};
const load = () => {
  clearTimeout(timer);
  timer = setTimeout(say, 500, "Loading…", true);
};
const halt = () => {
  if (wait.hidden || stop.hidden) return;
  window.stop();
  for (const form of document.forms) form.reset();
  say("Stopped. The figures are those of before.");
  timer = setTimeout(say, 4000, "");
};
addEventListener("submit", (event) => event.defaultPrevented || load());
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link || !isPlain || event.defaultPrevented || link.hasAttribute("download")) return;
  if (link.origin === location.origin && !link.hash) load();
});
addEventListener("pageshow", () => say(""));
addEventListener("keydown", (event) => event.key === "Escape" && halt());
stop.addEventListener("click", halt);

// On a phone a table is wider than the window: the column by which it is sorted stands beside the names.
for (const head of document.querySelectorAll("th:not(:first-child)[aria-sort]")) {
  const scroll = head.closest(".scroll");
  if (scroll) scroll.scrollLeft = head.offsetLeft - head.parentElement.cells[0].offsetWidth;
}

// Values under the pointer and with the arrow keys. Without this script, the browser shows titles after a while.
const tip = make("div", { className: "tip", hidden: true });
const voice = make("div", { className: "unseen" }, "status");
tip.setAttribute("aria-hidden", "true");
document.body.append(tip, voice);
let place;
const show = (next, isSaid) => {
  if (next === place) return;
  place?.classList.remove("chosen");
  place = next;
  tip.hidden = !place;
  if (!place) return;
  place.classList.add("chosen");
  tip.textContent = place.dataset.tip;
  if (isSaid) voice.textContent = place.dataset.tip;
  const box = place.getBoundingClientRect();
  const rightmost = document.documentElement.clientWidth - tip.offsetWidth - 4;
  const left = Math.min(box.left + box.width / 2 - tip.offsetWidth / 2, rightmost);
  tip.style.left = `${scrollX + Math.max(4, left)}px`;
  tip.style.top = `${scrollY + Math.max(4, box.top - tip.offsetHeight - 6)}px`;
};
// The marks of a chart, or the cells of a table with shades, in rows of equal length.
const explore = (chart, marks, length, focusable) => {
  if (!marks.length) return;
  for (const mark of marks) {
    const title = mark.querySelector(":scope > title");
    mark.dataset.tip = title?.textContent ?? mark.title;
    title?.remove();
    mark.removeAttribute("title");
  }
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -length, ArrowDown: length, Home: -Infinity, End: Infinity };
  focusable.setAttribute("tabindex", "0");
  chart.addEventListener("pointermove", (event) => show(event.target.closest("[data-tip]")));
  chart.addEventListener("pointerleave", () => show());
  focusable.addEventListener("focus", () => focusable.matches(":focus-visible") && show(marks.at(-1), true));
  focusable.addEventListener("blur", () => show());
  focusable.addEventListener("keydown", (event) => {
    if (event.key === "Escape") show();
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const index = marks.indexOf(place);
    const next = index < 0 ? 0 : index + step;
    const last = marks.length - 1;
    const mark = marks[Number.isFinite(step) && !marks[next] ? Math.max(index, 0) : Math.max(0, Math.min(last, next))];
    mark.scrollIntoView({ block: "nearest", inline: "nearest" });
    show(mark, true);
  });
};
const exploreAll = (root) => {
  for (const chart of root.querySelectorAll("svg.chart")) {
    // A chart of several lines has as many marks in each.
    const marks = [...chart.querySelectorAll("rect:has(> title)")];
    const first = marks[0]?.getAttribute("x");
    const rows = marks.filter((mark) => mark.getAttribute("x") === first).length;
    explore(chart, marks, Math.max(1, Math.round(marks.length / Math.max(1, rows))), chart);
  }
  for (const table of root.querySelectorAll("table.heat")) {
    const row = table.tBodies[0].rows[0];
    const cells = [...table.querySelectorAll("td[title]")];
    explore(table, cells, row.querySelectorAll("td[title]").length, table.parentElement);
  }
};
exploreAll(document);

// Sorting. Rows such as the total stay at the end. A heading with a link stays one where other rows would come.
const names = new Intl.Collator(undefined, { numeric: true });
// Without a number of its own, a cell has it in its text: "1,234", "12.5 %".
const valueOf = (row, column, isNumber) => {
  const text = row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
  return isNumber ? text.replace(/[, %]/g, "") : text;
};
const isAbsent = (value) => value === "" || value === "–";
const sort = (table, column, isNumber, direction) => {
  const compare = (one, other) => {
    const ends = [one, other].map((row) => Number(row.dataset.end ?? -1));
    if (ends[0] !== ends[1]) return ends[0] - ends[1];
    const values = [one, other].map((row) => valueOf(row, column, isNumber));
    const absent = values.map(isAbsent);
    if (absent[0] || absent[1]) return absent[0] - absent[1];
    return direction * (isNumber ? values[0] - values[1] : names.compare(...values));
  };
  const body = table.tBodies[0];
  body.append(...[...body.rows].sort(compare));
};
for (const table of document.querySelectorAll("table.figures:not(#live table), table.links")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const link = head.querySelector("a");
    if ((link && table.dataset.partial !== undefined) || head.querySelector(".unseen")) return;
    const button = make("button", { type: "button", className: "sort" });
    button.append(...(link ?? head).childNodes);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const isNumber = head.classList.contains("number");
      const before = head.getAttribute("aria-sort");
      const order = (before ? before === "descending" : !isNumber) ? "ascending" : "descending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      sort(table, column, isNumber, order === "ascending" ? 1 : -1);
      if (!link) return;
      const isReversed = order === (isNumber ? "ascending" : "descending");
      history.replaceState(null, "", link.href.replace(/%3Areverse$/, "") + (isReversed ? "%3Areverse" : ""));
    });
  });
}
// What a column counts, also for those who come by key.
for (const head of document.querySelectorAll("th[title]:has(a, button)")) {
  const control = head.querySelector("a, button");
  head.dataset.tip = head.title;
  head.removeAttribute("title");
  head.addEventListener("pointerenter", () => show(head));
  head.addEventListener("pointerleave", () => show());
  control.addEventListener("focus", () => control.matches(":focus-visible") && show(head, true));
  control.addEventListener("blur", () => show());
}

for (const button of document.querySelectorAll("[data-copies]")) {
  const field = document.getElementById(button.dataset.copies);
  const status = button.nextElementSibling;
  const name = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    let copied = true;
    try {
      // Browsers have a clipboard only on HTTPS and on the same machine.
      if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
      else copied = document.execCommand("copy");
    } catch {
      copied = document.execCommand("copy");
    }
    // Otherwise the address is selected, and a key copies it.
    if (!copied) return;
    button.textContent = "Copied";
    status.textContent = "The address is in the clipboard.";
    setTimeout(() => {
      button.textContent = name;
      status.textContent = "";
    }, 2000);
  });
}

const live = document.getElementById("live");
if (live) {
  let failures = 0;
  const refresh = async () => {
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" }, redirect: "error" });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("live");
      // Who reads a value in the chart, or is about to follow a link, is not disturbed.
      if (fresh && !live.contains(place ?? null) && !live.contains(document.activeElement)) {
        live.replaceChildren(...fresh.childNodes);
        exploreAll(live);
      }
      document.getElementById("last").replaceChildren(...page.getElementById("last").childNodes);
      failures = 0;
    } catch {
      failures += 1;
    }
    setTimeout(refresh, document.hidden ? 10000 : Math.min(2000 * 2 ** failures, 30000));
  };
  setTimeout(refresh, 2000);
}
