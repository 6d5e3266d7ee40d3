// Both kits against kits/hostile.mjs: whatever it answers, no event is lost, and none is sent in two ways.
import assert from "node:assert/strict";
import test from "node:test";
import { startHostile } from "../../hostile.mjs";
import { ask } from "../core.js";
import { TributaryApp as Page } from "../page.js";
import { TributaryApp as NativeApp } from "../react-native.js";

const wanted = Number(process.env.KIT_ANSWERS ?? 10_000);

async function isAllStored(launch, waiting, seed) {
  const server = await startHostile(seed);
  let clock = 0, ids = 0, app, answers = 0;
  const world = { now: () => clock, newID: () => `id-${++ids}`, ask: (url, options) => ask(url, { ...options, limit: 1000 }) };
  for (let round = 0; answers < wanted && round < wanted; round++) {
    // A process that ends at any time loses nothing.
    if (round % 100 == 0) {
      app = await launch(server.url, world);
      ({ answers } = await (await fetch(server.url + "/tally")).json());
    }
    await app.add("app_open");
    await app.send();
    if (round % 10 == 0) await app.findLink?.({ code: "7K3M 9QX2" });
    // Longer than a server may ask for silence.
    clock += 1e8;
  }
  await fetch(server.url + "/calm");
  await app.send();
  const tally = await (await fetch(server.url + "/tally")).json();
  server.close();
  const known = new Set([...tally.stored, ...tally.refused]);
  assert.ok(tally.answers >= wanted);
  assert.deepEqual(tally.inTwoWays, []);
  assert.deepEqual(waiting(), []);
  assert.deepEqual([...Array(ids - 1).keys()].map((id) => `id-${id + 2}`).filter((id) => !known.has(id)), []);
  console.log(`${tally.answers} answers, ${tally.stored.length} of ${ids - 1} events stored, seed ${seed}`);
}

const seed = Number(process.env.KIT_SEED ?? Date.now() % 1e6);

test("page: a hostile server", async () => {
  globalThis.localStorage = {};
  const launch = (url, world) => {
    const app = new Page(url, null, { world });
    app.setConsent(true);
    return app;
  };
  await isAllStored(launch, () => JSON.parse(localStorage.tributary).events, seed);
});

test("react native: a hostile server", async () => {
  const texts = new Map();
  const storage = {
    getItem: async (name) => texts.get(name) ?? null, setItem: async (name, text) => texts.set(name, text),
    removeItem: async (name) => texts.delete(name),
  };
  const launch = async (url, world) => {
    const app = new NativeApp(url, null, { world, storage, platform: "ios" });
    await app.setConsent(true, { alreadyInstalled: true });
    return app;
  };
  await isAllStored(launch, () => JSON.parse(texts.get("tributary")).events, seed + 1);
});
