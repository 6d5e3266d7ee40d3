// What only pages do. Each page is a new world; the storage stays. Tests that begin with c4- are reported cases.
import assert from "node:assert/strict";
import test from "node:test";
import { TributaryApp } from "../page.js";
import { TributaryApp as NativeApp } from "../react-native.js";

const shop = "https://www.shop.example/soup", facebook = "https://m.facebook.com/";

function page(href, referrer, { storage = {}, navigation = "navigate", prerendering, world, ...options } = {}) {
  Object.assign(globalThis, {
    document: Object.assign(new EventTarget(), { referrer, prerendering }), location: new URL(href), localStorage: storage,
  });
  Object.defineProperty(globalThis, "performance", { value: { getEntriesByType: () => [{ type: navigation }] }, configurable: true });
  const app = new TributaryApp("https://t.example", null, { world: { ask: async () => null, ...world }, ...options });
  app.setConsent(true);
  app.opened();
  return app;
}

const waiting = (storage) => JSON.parse(storage.tributary).events;

/** What a first visit of a page tells. */
function told(href, referrer, settings) {
  const storage = {};
  page(href, referrer, { ...settings, storage });
  return waiting(storage).map(({ type, referer_url: from }) => (from ? `${type} ${from}` : type)).join();
}

test("an open, and a visit from elsewhere", () => {
  assert.equal(told(shop, ""), "app_open");
  assert.equal(told(shop, facebook), "inbound_link https://m.facebook.com");
});

test("c4-kit-02: the referrer of an Android app is passed on as it is", () => {
  assert.equal(told(shop, "android-app://com.facebook.katana/"), "inbound_link android-app://com.facebook.katana/");
});

test("who only comes back is not brought", () => {
  for (const from of [
    "https://www.shop.example/", "https://shop.example/", "https://checkout.shop.example/pay", "https://www.paypal.com/",
    "https://checkout.stripe.com/c", "https://accounts.google.com/",
  ]) assert.equal(told(shop, from), "app_open", from);
  assert.equal(told(shop, "https://notpaypal.com/"), "inbound_link https://notpaypal.com");
  assert.equal(told(shop, "https://bank.example/"), "inbound_link https://bank.example");
  assert.equal(told(shop, "https://3ds.bank.example/", { nobody: ["bank.example"] }), "app_open");
  assert.equal(told(shop + "?code=a&state=b", "https://www.facebook.com/"), "app_open");
  assert.equal(told(shop + "#_=_", "https://www.facebook.com/"), "app_open");
  assert.equal(told(shop + "?click_id=c", "https://go.shop.example/"), "inbound_link https://go.shop.example");
  assert.equal(told(shop + "?click_id=c", ""), "inbound_link");
});

test("c4-kit-04: a page that is shown again is told once", () => {
  for (const navigation of ["reload", "back_forward"])
    assert.equal(told(shop + "?click_id=c", facebook, { navigation }), "app_open");
  const storage = {};
  for (const navigation of ["navigate", "reload", "reload", "back_forward"]) page(shop, facebook, { storage, navigation });
  assert.equal(waiting(storage).length, 1);
});

test("c4-kit-08: a page that is made in advance is told when it is shown", () => {
  const storage = {};
  page(shop, facebook, { storage, prerendering: true });
  const { document } = globalThis;
  assert.equal(waiting(storage).length, 0);
  for (let number = 0; number < 2; number++) document.dispatchEvent(new Event("prerenderingchange"));
  assert.equal(waiting(storage).length, 1);
});

test("c4-kit-03: ids without randomUUID", () => {
  const { crypto } = globalThis, storage = {};
  const plain = { getRandomValues: (bytes) => crypto.getRandomValues(bytes) };
  Object.defineProperty(globalThis, "crypto", { value: plain, configurable: true });
  page(shop, "", { storage });
  Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
  for (const id of [JSON.parse(storage.tributary).device, waiting(storage)[0].event_id])
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("c4-kit-01: a long queue goes in requests that may outlive their page, and a large event alone", async () => {
  const requests = [], storage = {};
  const ask = async (url, request) => {
    requests.push(request);
    return { status: 200, text: "{}" };
  };
  const event = (number, bytes) => ({ type: "app_open", event_id: `e-${number}`, url: "x".repeat(bytes) });
  const events = [...Array(60).keys()].map((number) => event(number, 1500));
  storage.tributary = JSON.stringify({ device: "d", seen: Date.now(), events: [...events, event(60, 70_000), event(61, 1)] });
  await page(shop, "", { storage, world: { ask } }).send();
  assert.equal(waiting(storage).length, 0);
  const large = requests.filter(({ body }) => body.length > 60_000);
  assert.deepEqual(large.map(({ body, keepalive }) => [JSON.parse(body).events.length, keepalive]), [[1, false]]);
  assert.ok(requests.every((request) => large.includes(request) || request.keepalive));
});

test("without room in the storage, events wait in memory and are sent", async () => {
  const full = new Proxy({}, { set() { throw new Error("QuotaExceededError"); } }), sent = [];
  const ask = async (url, { body }) => {
    sent.push(...JSON.parse(body).events.map(({ type }) => type));
    return { status: 200, text: "{}" };
  };
  await page(shop, "", { storage: full, world: { ask } }).add("feed_post", { outcome: "posted" });
  assert.equal(sent.join(), "app_open,feed_post");
});

test("consent that another page took back is not undone, and its id is gone", async () => {
  const storage = {}, app = page(shop, "", { storage }), device = app.deviceID;
  delete storage.tributary;
  await app.add("app_open");
  assert.notEqual(app.deviceID, device);
  assert.equal(waiting(storage).length, 1);
});

test("react native: start tells the link, the install and its deferred link, once", async () => {
  const texts = new Map(), sent = [], found = [];
  const storage = {
    getItem: async (name) => texts.get(name) ?? null, setItem: async (name, text) => texts.set(name, text),
    removeItem: async (name) => texts.delete(name),
  };
  const ask = async (url, { body }) => {
    if (!body) return { status: 200, text: '{"click_id":"c-1","app_url":"shop://a"}' };
    sent.push(...JSON.parse(body).events.map(({ type, install_began_at: at }) => type + (at ? " " + at : "")));
    return { status: 200, text: "{}" };
  };
  const linking = { getInitialURL: async () => "shop://x", addEventListener: (type, tell) => { linking.tell = tell; } };
  const referrer = async () => ({ installReferrer: "click_id=c-1", installBeginTimestampServerSeconds: "1760000000" });
  for (let launch = 0; launch < 2; launch++) {
    const app = new NativeApp("https://t.example", null, { storage, linking, referrer, platform: "android", world: { ask } });
    await app.setConsent(true);
    (await app.start({ onDeferredLink: (finding) => found.push(finding.link.appURL) }))();
    linking.tell({ url: "shop://y" });
    await new Promise((done) => setTimeout(done, 10));
    await app.send();
  }
  assert.deepEqual(found, ["shop://a"]);
  assert.deepEqual(sent, ["inbound_link", "install 2025-10-09T08:53:20.000Z", "inbound_link", "inbound_link", "inbound_link"]);
});

test("react native: a store that does not answer is asked at the next launch", async () => {
  const storage = { getItem: async () => null, setItem: async () => {}, removeItem: async () => {} };
  const referrer = async () => { throw new Error("busy"); };
  const app = new NativeApp("https://t.example", null, { storage, referrer, platform: "android", world: { ask: async () => null } });
  await app.setConsent(true);
  await app.start({ onDeferredLink: () => assert.fail("nothing is known") });
  assert.equal(await app.isFirstLaunch(), true);
});
