// The pages work without this script. It saves a click on choices and keeps the live view up to date.
"use strict";
// On a phone the views are wider than the window.
document.querySelector(".views [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
for (const control of document.querySelectorAll(".options select")) {
  control.addEventListener("change", () => control.form.requestSubmit());
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
