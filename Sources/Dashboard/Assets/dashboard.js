// The pages work without this script. It saves a click on choices and keeps the live view up to date.
"use strict";
for (const control of document.querySelectorAll(".options select")) {
  control.addEventListener("change", () => control.form.requestSubmit());
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
