// Uses docs/recipes/tributary.js as pages do. Each page is a new world; the storage stays.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const { KIT_URL: url, KIT_KEY: key, KIT_SNIPPET: snippet } = process.env;
const localStorage = {};
const source = readFileSync(snippet, "utf8");

function page(href, referrer, consent, to = url) {
  const document = { referrer };
  return new Function("document", "location", "localStorage", `${source}; return tributary(...arguments[3])`)(
    document, new URL(href), localStorage, [to, key, consent],
  );
}

function check(isSo, what) {
  if (isSo) return;
  console.log(`web: ${what}`);
  process.exit(1);
}

await page("https://shop.example/", "", false).add("feed_post", { outcome: "posted" });
check(!("tributary" in localStorage), "stored something without consent");
// Offline, an open; then a visit from elsewhere, while the server makes trouble.
page("https://shop.example/", "", true, "http://127.0.0.1:1");
await sleep(200);
const visit = page("https://shop.example/?fb_source=search", "https://search.example/find?q=1", true);
await visit.add("feed_post", { outcome: "posted", ref: "recipe" });
for (let number = 0; number < 6; number++) {
  page("https://shop.example/next", "https://shop.example/", true);
  await sleep(300);
}
check(visit.device === JSON.parse(localStorage.tributary).device, "does not tell its device");
check(JSON.parse(localStorage.tributary).events.length === 0, `events still wait: ${localStorage.tributary}`);
page("https://shop.example/", "", false);
check(!("tributary" in localStorage), "kept something after the consent was taken back");
