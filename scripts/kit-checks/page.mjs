// Uses kits/web with a daemon, as pages do (KIT=web) and as an app of React Native does: offline, over several launches,
// and while the server makes trouble. What needs no daemon is in kits/vectors.jsonl and kits/web/tests.
import { setTimeout as sleep } from "node:timers/promises";
import { TributaryApp as Page } from "../../kits/web/page.js";
import { TributaryApp as NativeApp } from "../../kits/web/react-native.js";

const { KIT, KIT_URL: url, KIT_KEY: key, KIT_LINK: link, KIT_CLICK: click } = process.env;
const nowhere = "http://127.0.0.1:1", debug = console.log;

function check(isSo, what) {
  if (isSo) return;
  console.log(`${KIT}: ${what}`);
  process.exit(1);
}

globalThis.localStorage = {};
const waiting = () => JSON.parse(localStorage.tributary).events.length;

function page(to, href, referrer) {
  Object.assign(globalThis, { document: Object.assign(new EventTarget(), { referrer }), location: new URL(href) });
  globalThis.performance.getEntriesByType = () => [{ type: "navigate" }];
  const app = new Page(to, key, { debug });
  app.setConsent(true);
  app.opened();
  return app;
}

async function openPages() {
  await page(nowhere, "https://shop.example/", "").send();
  const visit = page(url, "https://shop.example/?fb_source=search", "https://search.example/find?q=1");
  await visit.add("feed_post", { outcome: "posted", ref: "recipe" });
  for (let number = 0; number < 8 && waiting(); number++) {
    await page(url, "https://shop.example/next", "https://shop.example/").send();
    await sleep(300);
  }
  check(visit.deviceID === JSON.parse(localStorage.tributary).device, "does not tell its device");
}

const storage = {
  getItem: async (name) => localStorage[name] ?? null, setItem: async (name, text) => { localStorage[name] = text; },
  removeItem: async (name) => { delete localStorage[name]; },
};

async function launch(to, platform) {
  const app = new NativeApp(to, key, { storage, platform, clipboard: { getString: async () => link }, debug });
  await app.setConsent(true);
  return app;
}

async function useApp() {
  const offline = await launch(nowhere, "android");
  check((await offline.findLink({ code: "AAAA AAAA" })).kind == "noAnswer", "found a link offline");
  await offline.opened();
  await offline.installed();
  await offline.send();
  const online = await launch(url, "ios");
  check(!(await online.isFirstLaunch()), "the install is told twice");
  check((await online.findLink({ pasted: "not a link + 100 % &" })).kind == "notFound", "found a link in rubbish");
  check((await online.findCopiedLink("other.example")).kind == "notFound", "sends what is no link of the app's");
  check((await online.findCopiedLink("go.example")).link?.clickID == click, "the copied link was not found");
  await online.opened("https://shop.example/?fb_source=search");
  await online.posted("fbconnect://cancel", { ref: "recipe" });
  for (let number = 0; number < 11 && waiting(); number++) {
    await online.send();
    await sleep(1100);
  }
}

await (KIT == "web" ? openPages() : useApp());
check(waiting() === 0, `events still wait: ${localStorage.tributary}`);
