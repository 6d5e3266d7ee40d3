// Each line of kits/vectors.jsonl, told to the kit for pages and to that for React Native on both systems.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { TributaryApp as Page } from "../page.js";
import { TributaryApp as NativeApp } from "../react-native.js";

const stories = readFileSync(new URL("../../vectors.jsonl", import.meta.url), "utf8").trim().split("\n").map(JSON.parse);
const file = { name: "tributary", mark: "tributary.installed" };

class Teller {
  elapsed = 0;
  clock = Date.parse("2026-01-01T00:00:00Z");
  ids = 0;
  number = 0;
  sleepers = [];
  answers = { events: [], links: [] };
  batches = [];
  questions = [];
  lines = [];
  texts = new Map();
  latest = {};
  storage = {};

  constructor(system) {
    this.system = system;
    const isLocked = () => { if (this.isLocked) throw new Error("locked"); };
    this.asyncStorage = {
      getItem: async (name) => { if (name == file.name) isLocked(); return this.storage[name] ?? null; },
      setItem: async (name, text) => { if (name == file.name) isLocked(); this.storage[name] = text; },
      removeItem: async (name) => { delete this.storage[name]; this.isLocked = false; },
    };
  }

  launch(key) {
    // The process before ends.
    this.sleepers = [];
    const world = {
      now: () => this.clock,
      newID: () => `id-${++this.ids}`,
      ask: async (url, options) => this.answer(url, options),
      sleep: (seconds) => new Promise((done) => this.sleepers.push({ at: this.elapsed + seconds, done })),
    };
    const options = { appVersion: "3.1", debug: (line) => this.lines.push(line), world };
    this.page({});
    this.app = this.system == "page"
      ? new Page("https://t.example", key, options)
      : new NativeApp("https://t.example", key, { ...options, platform: this.system, storage: this.asyncStorage, clipboard: this });
  }

  page({ url = "https://shop.example/", referrer = "" }) {
    Object.assign(globalThis, {
      localStorage: this.storage, location: new URL(url), document: Object.assign(new EventTarget(), { referrer }),
    });
  }

  answer(url, { method, body, headers }) {
    this.key = headers.Authorization?.replace("Bearer ", "");
    if (method) this.batches.push(JSON.parse(body));
    else this.questions.push(decodeURIComponent(url.split("?")[1]));
    const answers = this.answers[method ? "events" : "links"];
    return answers.length ? answers.shift() : { status: 200, text: "{}", pause: null };
  }

  async settle() {
    for (let turn = 0; turn < 30; turn++) await null;
  }

  async take(step) {
    const [, verb, rest] = /^(\S+) ?(.*)$/.exec(step);
    if (verb == "launch") return this.launch(rest.replace("with key ", "") || null);
    const isDone = await this.act(verb, rest, rest.split(" "));
    await this.settle();
    if (!isDone) assert.equal(await this.look(verb, rest, rest.split(" ")), rest, step);
  }

  async act(verb, rest, words) {
    const { app } = this;
    switch (verb) {
      case "consent": await app.setConsent(rest.startsWith("given"), { alreadyInstalled: rest.endsWith("already installed") }); break;
      case "opened":
        if (this.system == "page") app.opened();
        else await app.opened(rest || null);
        break;
      case "installed": this.finding = await app.installed(rest ? { installReferrer: rest } : null); break;
      case "posted": await app.posted(rest); break;
      case "send": await app.send(); break;
      case "add":
        for (let count = 0; count < words[0]; count++) {
          const text = words[3] ? "x".repeat(words[3]) : "";
          await app.add(words[1], { ref: `${++this.number}`, text });
          await this.settle();
        }
        break;
      case "find": {
        const text = (this.copied = words.slice(1).join(" "));
        this.finding = await (words[0] == "copied" ? app.findCopiedLink("go.example") : app.findLink({ [words[0]]: text }));
        break;
      }
      case "events": case "links": {
        const isPaused = words[2] == "after";
        const answer = { status: +words[1], pause: isPaused ? words[3] : null, text: words.slice(isPaused ? 4 : 2).join(" ") };
        this.answers[verb].push(words[1] == "nothing" ? null : answer);
        break;
      }
      case "wait":
        this.elapsed += +rest;
        this.clock += rest * 1e3;
        for (const sleeper of this.sleepers.splice(0)) sleeper.at <= this.elapsed ? sleeper.done() : this.sleepers.push(sleeper);
        break;
      case "clock": this.clock += rest * 1e3; break;
      case "file": case "phone":
        this.isLocked = rest == "locked";
        if (rest == "damaged") this.storage[file.name] = '{"device';
        if (rest == "removed") delete this.storage[file.name];
        break;
      default: return false;
    }
    return true;
  }

  async getString() { return this.copied; }

  waiting() { return JSON.parse(this.storage[file.name]).events; }

  async look(verb, rest, words) {
    const { app, system } = this;
    switch (verb) {
      case "waiting": return runs(this.waiting());
      case "oldest": return `${words[0]} ${this.waiting()[0]?.[words[0]]}`;
      case "sent": {
        const batches = this.batches.splice(0);
        for (const event of batches.flatMap(({ events }) => events)) {
          assert.deepEqual(event, this.texts.get(event.event_id) ?? event, "sent in two ways");
          this.texts.set(event.event_id, event);
          this.latest[event.type] = event;
        }
        if (batches.length) this.sentAt = batches.at(-1).sent_at;
        return batches.map(({ events }) => runs(events)).join(" / ") || "nothing";
      }
      case "sent_at":
        await this.look("sent", "", []);
        return this.sentAt;
      case "event": {
        await this.look("sent", "", []);
        const event = this.waiting().findLast(({ type }) => type == words[0]) ?? this.latest[words[0]];
        return `${words[0]} ${words[1]} ${event?.[words[1]] ?? "none"}`;
      }
      case "asked": return this.questions.splice(0).join(" / ") || "nothing";
      case "first": return (await app.isFirstLaunch()) ? "yes" : "no";
      case "device": return (system == "page" ? app.deviceID : await app.deviceID()) ?? "none";
      case "status": return `${app.lastStatus ?? "none"}`;
      case "key": return this.key;
      case "says": return this.lines.join("\n").includes(rest) ? rest : this.lines.join("\n");
      case "stored": {
        const names = { [file.name]: "queue", [file.mark]: "mark" };
        return Object.keys(this.storage).sort().map((name) => names[name]).join(" ") || "nothing";
      }
      case "finds": {
        const { kind, link, seconds } = this.finding;
        return { found: `found ${link?.clickID} ${link?.appURL ?? "none"}`, notFound: "not found", noAnswer: "no answer",
          tooManyTries: `too many tries, wait ${seconds}` }[kind];
      }
      default: return "no such verb: " + verb;
    }
  }
}

/** `install 2 app_open`: types, with how many follow each other. */
function runs(events) {
  const all = [];
  for (const { type } of events) all.at(-1)?.type == type ? all.at(-1).count++ : all.push({ type, count: 1 });
  return all.map(({ type, count }) => (count > 1 ? `${count} ${type}` : type)).join(" ") || "nothing";
}

for (const system of ["page", "ios", "android"])
  for (const { story, steps, for: kits } of stories)
    if (!kits || kits.includes(system))
      test(`${system}: ${story}`, async () => {
        const teller = new Teller(system);
        for (const step of steps) await teller.take(step);
      });
