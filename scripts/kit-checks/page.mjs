// Uses docs/recipes/tributary.js as pages do. Each page is a new world; the storage stays. Prints the ids of the vectors
// that it has run.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const { KIT_URL: url, KIT_KEY: key, KIT_SNIPPET: snippet } = process.env;
const source = readFileSync(snippet, "utf8");
const nowhere = "http://127.0.0.1:1";
const shared = {};

function page(href, referrer, { consent = true, to = url, storage = shared, navigation = "navigate", more = {}, options } = {}) {
  const document = Object.assign(new EventTarget(), { referrer, prerendering: more.prerendering });
  const performance = { getEntriesByType: () => [{ type: navigation }] };
  const names = ["document", "location", "localStorage", "performance", "crypto"];
  const world = [document, new URL(href), storage, performance, more.crypto ?? crypto];
  const kit = new Function(...names, `${source}; return tributary(...arguments[5])`)(...world, [to, key, consent, options]);
  return Object.assign(kit, { document });
}

function check(isSo, what) {
  if (isSo) return;
  console.log(`web: ${what}`);
  process.exit(1);
}

const waiting = (storage) => JSON.parse(storage.tributary).events;

/** What a first visit of a page tells. */
function told(href, referrer, settings) {
  const storage = {};
  page(href, referrer, { to: nowhere, storage, ...settings });
  return waiting(storage).map(({ type, referer_url: from }) => (from ? `${type} ${from}` : type));
}

function checkTold(expected, href, referrer, settings) {
  const got = told(href, referrer, settings).join();
  check(got == expected, `told ${got} of ${href} from ${referrer || "nowhere"} ${JSON.stringify(settings ?? {})}, expected ${expected}`);
}

await page("https://shop.example/", "", { consent: false }).add("feed_post", { outcome: "posted" });
check(!("tributary" in shared), "stored something without consent");
// Offline, an open; then a visit from elsewhere, while the server makes trouble.
page("https://shop.example/", "", { to: nowhere });
await sleep(200);
const visit = page("https://shop.example/?fb_source=search", "https://search.example/find?q=1");
await visit.add("feed_post", { outcome: "posted", ref: "recipe" });
for (let number = 0; number < 8; number++) {
  page("https://shop.example/next", "https://shop.example/");
  await sleep(300);
}
check(visit.device === JSON.parse(shared.tributary).device, "does not tell its device");
check(waiting(shared).length === 0, `events still wait: ${shared.tributary}`);
page("https://shop.example/", "", { consent: false });
check(!("tributary" in shared), "kept something after the consent was taken back");

// What is a touch, and what is not.
const shop = "https://www.shop.example/soup";
checkTold("app_open", shop, "");
checkTold("inbound_link https://m.facebook.com", shop, "https://m.facebook.com/");
checkTold("inbound_link android-app://com.facebook.katana/", shop, "android-app://com.facebook.katana/");
console.log("c4-kit-02");
for (const from of [
  "https://www.shop.example/", "https://shop.example/", "https://checkout.shop.example/pay", "https://www.paypal.com/",
  "https://checkout.stripe.com/c", "https://accounts.google.com/",
]) checkTold("app_open", shop, from);
checkTold("inbound_link https://notpaypal.com", shop, "https://notpaypal.com/");
checkTold("inbound_link https://bank.example", shop, "https://bank.example/");
checkTold("app_open", shop, "https://3ds.bank.example/", { options: { nobody: ["bank.example"] } });
checkTold("app_open", shop + "?code=a&state=b", "https://www.facebook.com/");
checkTold("app_open", shop + "#_=_", "https://www.facebook.com/");
checkTold("inbound_link https://go.shop.example", shop + "?click_id=c", "https://go.shop.example/");
checkTold("inbound_link", shop + "?click_id=c", "");
for (const navigation of ["reload", "back_forward"])
  checkTold("app_open", shop + "?click_id=c", "https://m.facebook.com/", { navigation });
const reloaded = {};
for (const navigation of ["navigate", "reload", "reload", "back_forward"])
  page(shop, "https://m.facebook.com/", { to: nowhere, storage: reloaded, navigation });
check(waiting(reloaded).length === 1, `a reload is told: ${reloaded.tributary}`);
console.log("c4-kit-04");

// Made in advance.
const advance = {};
const { document } = page(shop, "https://m.facebook.com/", { to: nowhere, storage: advance, more: { prerendering: true } });
check(waiting(advance).length === 0, "tells a page that nobody has seen");
for (let number = 0; number < 2; number++) document.dispatchEvent(new Event("prerenderingchange"));
check(waiting(advance).length === 1, "does not tell a page when it is shown");
console.log("c4-kit-08");

// Without https.
const plain = { getRandomValues: (bytes) => crypto.getRandomValues(bytes) };
const old = {};
page(shop, "", { to: nowhere, storage: old, more: { crypto: plain } });
const ids = [JSON.parse(old.tributary).device, waiting(old)[0].event_id];
check(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)), `made the ids ${ids}`);
console.log("c4-kit-03");

// A long queue, and one event that is larger than a request that may outlive its page.
const requests = [];
const server = createServer(async (request, response) => {
  let text = "";
  for await (const piece of request) text += piece;
  requests.push(text);
  response.end("{}");
}).listen(0, "127.0.0.1");
await new Promise((done) => server.on("listening", done));
const here = `http://127.0.0.1:${server.address().port}`;
const queue = {};
const event = (number, bytes) => ({ type: "app_open", event_id: `e-${number}`, url: "x".repeat(bytes) });
const events = [...Array(60).keys()].map((number) => event(number, 1500));
queue.tributary = JSON.stringify({ device: "d", seen: Date.now(), events: [...events, event(60, 70_000), event(61, 1)] });
await page(shop, "", { to: here, storage: queue }).send();
for (let number = 0; number < 100 && waiting(queue).length; number++) await sleep(50);
check(waiting(queue).length === 0, `${waiting(queue).length} events of a long queue still wait`);
const sizes = requests.map((text) => text.length);
check(sizes.filter((size) => size > 64_000).length === 1, `requests of ${sizes} bytes`);
check(JSON.parse(requests.find((text) => text.length > 64_000)).events.length === 1, "a large event is not alone");
console.log("c4-kit-01");

// The newest thousand; and without room in the storage, memory.
const crowd = {};
crowd.tributary = JSON.stringify({ device: "d", seen: Date.now(), events: [...Array(1100).keys()].map((n) => event(n, 1)) });
page(shop, "", { to: nowhere, storage: crowd });
check(waiting(crowd).length === 1000 && waiting(crowd)[999].event_id === "e-1099", "keeps other events than the newest");
const full = new Proxy({}, { set() { throw new Error("QuotaExceededError"); } });
requests.length = 0;
await page(shop, "", { to: here, storage: full }).add("feed_post", { outcome: "posted" });
for (let number = 0; number < 100 && !requests.join().includes("feed_post"); number++) await sleep(50);
const sent = requests.flatMap((text) => JSON.parse(text).events).map(({ type }) => type);
check(sent.join() === "app_open,feed_post", `without room it sent ${sent}`);
server.close();
