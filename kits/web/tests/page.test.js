// What only pages do. Each page is a new world; the storage stays. Tests that begin with c4- are reported cases.
import assert from "node:assert/strict";
import test from "node:test";
import { TributaryApp } from "../page.js";
import { TributaryApp as NativeApp } from "../react-native.js";

const shop = "https://www.shop.example/soup", facebook = "https://m.facebook.com/";

function page(href, referrer, { storage = {}, navigation = "navigate", prerendering, consent = true, world, ...options } = {}) {
  Object.assign(globalThis, {
    document: Object.assign(new EventTarget(), { referrer, prerendering }), location: new URL(href), localStorage: storage,
  });
  Object.defineProperty(globalThis, "performance", { value: { getEntriesByType: () => [{ type: navigation }] }, configurable: true });
  const app = new TributaryApp("https://t.example", null, { world: { ask: async () => null, ...world }, ...options });
  app.setConsent(consent);
  app.opened();
  return app;
}

const waiting = (storage) => JSON.parse(storage.tributary).events;

/** Somebody sees the page that was made in advance. */
function show() {
  document.prerendering = false;
  for (let number = 0; number < 2; number++) document.dispatchEvent(new Event("prerenderingchange"));
}

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
  assert.equal(told(shop + "?click_id=c", "https://go.shop.example/"), "inbound_link https://go.shop.example");
  assert.equal(told(shop + "?click_id=c", ""), "inbound_link");
});

test("a host above the page's own brings nobody, and one beside it does unless it is named", () => {
  const app = "https://app.shop.example/", sister = "https://checkout.shop.example/";
  for (const from of ["https://www.shop.example/", "https://m.shop.example/", "https://shop.example/"])
    assert.equal(told(app, from), "app_open", from);
  assert.equal(told("https://pay.app.shop.example/", "https://app.shop.example/"), "app_open");
  assert.equal(told(sister, "https://shop.example/"), "app_open");
  assert.equal(told(sister, app), "inbound_link https://app.shop.example");
  assert.equal(told(sister, app, { nobody: ["shop.example"] }), "app_open");
  for (const from of ["https://hop.example", "https://app.shop.example.org", "https://other.example"])
    assert.equal(told(app, from + "/"), "inbound_link " + from);
  // Of two names, none is a prefix.
  assert.equal(told("https://shop.me/soup", "https://m.me/"), "inbound_link https://m.me");
  assert.equal(told("https://m.me/", "https://shop.me/soup"), "inbound_link https://shop.me");
});

test("hosts that bring nobody may be spelled in any way", () => {
  for (const nobody of [
    "Bank.Example", "https://bank.example", "HTTPS://Bank.Example/pay?a=b", "//bank.example", "*.bank.example",
    "https://*.bank.example/*", ".bank.example", " bank.example ", "bank.example:8443",
  ]) for (const from of ["https://bank.example/", "https://3ds.bank.example/"])
    assert.equal(told(shop, from, { nobody: [nobody] }), "app_open", nobody);
  for (const nobody of ["bücher.example", "xn--bcher-kva.example"])
    assert.equal(told(shop, "https://www.xn--bcher-kva.example/", { nobody: [nobody] }), "app_open", nobody);
  assert.equal(told(shop, "https://bank.example/", { nobody: "bank.example" }), "app_open");
  for (const nobody of ["android-app://org.example.Bank/", "org.example.Bank"])
    assert.equal(told(shop, "android-app://org.example.Bank/", { nobody: [nobody] }), "app_open", nobody);
  assert.equal(told(shop, "https://mybank.example/", { nobody: ["bank.example"] }), "inbound_link https://mybank.example");
  // What cannot be read names nobody, and hinders nothing.
  assert.equal(told(shop, facebook, { nobody: ["", "*", "https://", "a b", null] }), "inbound_link https://m.facebook.com");
});

test("the answer of a login is no touch, in the query and in the fragment", () => {
  for (const answer of [
    "?code=a&state=b", "?code=a&state=b#_=_", "#_=_", "?error=access_denied&state=b", "#access_token=t&state=b",
    "#access_token=t&expires_in=5", "#id_token=t", "#state=b&code=a", "#/back?code=a&state=b", "?state=b#code=a",
    "?error=access_denied&error_code=200&error_description=Permissions+error&error_reason=user_denied#_=_",
    "?error=access_denied&error_reason=user_denied", "#error=server_error&error_description=x",
  ]) assert.equal(told(shop + answer, "https://www.facebook.com/"), "app_open", answer);
});

test("a link with what logins have is a touch if Facebook or somebody else has made it", () => {
  for (const link of [
    "?code=SUMMER24", "?code=SUMMER24&fb_ref=sale", "?code=SUMMER24&state=CA&fbclid=c", "?fb_source=feed#_=_",
    "?fb_ref=soup#id_token=t", "#expires_in=0&access_token=t&target_url=https%3A%2F%2Fshop.example%2F",
    "?al_applink_data=%7B%7D#access_token=t", "?error=404", "?state=CA", "#error", "?xcode=a&state=b", "?access_tokens=5",
    "?click_id=c&code=a&state=b",
  ]) assert.equal(told(shop + link, facebook), "inbound_link https://m.facebook.com", link);
});

test("a page that changes its route tells its visit once", () => {
  const storage = {};
  let clock = 1e12;
  const app = page(shop + "?click_id=c", facebook, { storage, world: { now: () => clock } });
  const goTo = (href, app) => {
    globalThis.location = new URL(href);
    app.opened();
  };
  goTo("https://www.shop.example/salad", app);
  goTo("https://www.shop.example/salad?click_id=c", app);
  // Also by another object, as a part of a page that is drawn again makes one.
  const other = new TributaryApp("https://t.example", null, { world: { ask: async () => null, now: () => clock } });
  other.setConsent(true);
  goTo("https://www.shop.example/bread", other);
  assert.deepEqual(waiting(storage).map(({ type, url }) => [type, url]), [["inbound_link", shop + "?click_id=c"]]);
  clock += 18e5 + 1;
  goTo("https://www.shop.example/cake", other);
  assert.equal(waiting(storage).map(({ type }) => type).join(), "inbound_link,app_open");
});

test("a visit waits for consent, over changes of the route", () => {
  const storage = {};
  const app = page(shop + "?click_id=c", facebook, { storage, consent: false });
  globalThis.location = new URL("https://www.shop.example/salad");
  app.opened();
  assert.deepEqual(storage, {});
  app.setConsent(true);
  const told = () => assert.deepEqual(waiting(storage).map(({ type, url }) => [type, url]), [["inbound_link", shop + "?click_id=c"]]);
  told();
  for (let number = 0; number < 2; number++) app.opened();
  app.setConsent(true);
  told();
});

test("a login, a reload or a direct visit stays one after a change of the route", () => {
  for (const [href, referrer, settings] of [
    [shop + "?code=a&state=b", "https://www.facebook.com/"], [shop, facebook, { navigation: "reload" }], [shop, ""],
  ]) {
    const storage = {}, app = page(href, referrer, { ...settings, storage });
    globalThis.location = new URL("https://www.shop.example/account?click_id=c");
    app.opened();
    assert.equal(waiting(storage).map(({ type }) => type).join(), "app_open", href);
  }
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
  assert.equal(waiting(storage).length, 0);
  show();
  assert.equal(waiting(storage).length, 1);
});

test("a page that changes its route before it is shown tells the link that it was made for", () => {
  const storage = {}, app = page(shop + "?click_id=c", facebook, { storage, prerendering: true });
  globalThis.location = new URL("https://www.shop.example/salad");
  app.opened();
  assert.equal(waiting(storage).length, 0);
  show();
  assert.deepEqual(waiting(storage).map(({ type, url }) => [type, url]), [["inbound_link", shop + "?click_id=c"]]);
});

test("a page that is made in advance waits for its showing and for the consent", () => {
  const storage = {}, app = page(shop, facebook, { storage, prerendering: true, consent: false });
  show();
  assert.deepEqual(storage, {});
  app.setConsent(true);
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
  // From the list of recent apps there is none: MainActivity.kt has taken the old one away.
  const launches = ["shop://x", null];
  const linking = { getInitialURL: async () => launches.shift(), addEventListener: (type, tell) => { linking.tell = tell; } };
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
  assert.deepEqual(sent, ["inbound_link", "install 2025-10-09T08:53:20.000Z", "inbound_link", "app_open", "inbound_link"]);
});

test("react native: a store that does not answer is asked at the next launch", async () => {
  const storage = { getItem: async () => null, setItem: async () => {}, removeItem: async () => {} };
  const referrer = async () => { throw new Error("busy"); };
  const app = new NativeApp("https://t.example", null, { storage, referrer, platform: "android", world: { ask: async () => null } });
  await app.setConsent(true);
  await app.start({ onDeferredLink: () => assert.fail("nothing is known") });
  assert.equal(await app.isFirstLaunch(), true);
});
