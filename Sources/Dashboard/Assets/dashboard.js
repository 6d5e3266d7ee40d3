// The pages work without this script. It saves a click on choices and keeps the live view up to date.
"use strict";
// On a phone the views are wider than the window.
document.querySelector(".views [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
for (const control of document.querySelectorAll("select[form=view]")) {
  control.addEventListener("change", () => control.form.requestSubmit());
}
// What the pointer, or an arrow key in a chart, is on. Without this script, the browser shows titles after a while.
const tip = document.createElement("div");
tip.className = "tip";
tip.setAttribute("role", "status");
for (const chart of document.querySelectorAll("svg.chart")) {
  const places = [...chart.querySelectorAll("rect:has(> title)")];
  if (!places.length) continue;
  if (!tip.isConnected) document.body.append(tip);
  for (const place of places) {
    place.dataset.tip = place.querySelector("title").textContent;
    place.querySelector("title").remove();
  }
  let chosen = -1;
  const show = (index) => {
    places[chosen]?.classList.remove("chosen");
    chosen = index;
    const place = places[index];
    tip.hidden = !place;
    if (!place) return;
    place.classList.add("chosen");
    tip.textContent = place.dataset.tip;
    const box = place.getBoundingClientRect();
    const left = box.left + box.width / 2 - tip.offsetWidth / 2;
    tip.style.left = `${scrollX + Math.max(4, Math.min(left, document.documentElement.clientWidth - tip.offsetWidth - 4))}px`;
    tip.style.top = `${scrollY + Math.max(4, box.top - tip.offsetHeight - 6)}px`;
  };
  chart.setAttribute("tabindex", "0");
  chart.addEventListener("pointermove", (event) => show(places.indexOf(event.target)));
  chart.addEventListener("pointerleave", () => show(-1));
  chart.addEventListener("focus", () => show(chart.matches(":focus-visible") ? places.length - 1 : -1));
  chart.addEventListener("blur", () => show(-1));
  chart.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -places.length, End: places.length }[event.key];
    if (event.key === "Escape") show(-1);
    if (!step) return;
    event.preventDefault();
    show(Math.max(0, Math.min(places.length - 1, chosen + step)));
  });
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
      if (fresh) live.replaceChildren(...fresh.childNodes);
      failures = 0;
    } catch {
      failures += 1;
    }
    setTimeout(refresh, document.hidden ? 10000 : Math.min(2000 * 2 ** failures, 30000));
  };
  setTimeout(refresh, 2000);
}
