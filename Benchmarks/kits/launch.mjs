// Measures what the kit for web pages takes at a launch: node --expose-gc launch.mjs [WAITING]
const waiting = Number(process.argv[2] ?? 0);
globalThis.localStorage = {};
globalThis.document = { prerendering: false, referrer: "https://www.example.org/", addEventListener() {} };
globalThis.location = new URL("https://shop.example.com/?click_id=abc");
performance.getEntriesByType = () => [{ type: "navigate" }];
globalThis.fetch = async () => new Response("", { status: 503 });
if (waiting)
  localStorage.tributary = JSON.stringify({
    device: "d", seen: 0, events: Array.from({ length: waiting }, (_, value) => ({
      type: "conversion", event_id: crypto.randomUUID(), occurred_at: new Date().toISOString(),
      device_id: crypto.randomUUID(), platform: "web", name: "purchase", value })) });

// What a page has anyway that has asked a server.
const control = new AbortController();
clearTimeout(setTimeout(() => {}, 1000));
await (await fetch("", { signal: control.signal })).body?.getReader?.().read();
new TextEncoder().encode(new URL("https://a.example/").origin + crypto.randomUUID() + new Date().toISOString());

const heap = () => { gc(); gc(); return process.memoryUsage().heapUsed; };
const start = heap();
const { TributaryApp } = await import("../../kits/web/page.js");
const loaded = heap();
globalThis.app = new TributaryApp("https://events.example.com", "trib_a_x");
app.setConsent(true);
app.opened();
await app.send();
const end = heap(), kilobytes = (bytes) => Math.round(bytes / 1000) + " KB";
console.log(`web, ${waiting} waiting: ${kilobytes(loaded - start)} of code, ${kilobytes(end - loaded)} after the launch`);
