// Tells Tributary what happens in an app of React Native (docs/app-kits.md). It brings no native part: pass in the
// modules that your app has.
import { Queue } from "./core.js";

const name = "tributary", mark = "tributary.installed";

export class TributaryApp extends Queue {
  #state;
  #alreadyInstalled;
  #loading;
  #writing = Promise.resolve();
  #held;
  #lastOpen;

  constructor(url, key, { storage, linking, appState, referrer, clipboard, ...options }) {
    super(url, key, options);
    this.modules = { storage, linking, appState, referrer, clipboard };
  }

  /** At each launch, before anything else. `false` deletes all that is stored but one bit: the install was told. */
  async setConsent(isGiven, { alreadyInstalled = false } = {}) {
    const { storage } = this.modules;
    if (isGiven) {
      this.#alreadyInstalled = alreadyInstalled;
      return void (await this.#load());
    }
    await this.#loading;
    const known = this.#state ?? (await this.#read());
    this.#state = this.#alreadyInstalled = this.#held = undefined;
    this.#write(async () => {
      if (known && known.hasInstall != false) await storage.setItem(mark, "");
      await storage.removeItem(name);
    });
    await this.#writing;
  }

  /** Nothing: there is no file. A text: why it cannot be read. */
  async #read() {
    try {
      const text = await this.modules.storage.getItem(name);
      if (text == null) return undefined;
      try {
        const state = JSON.parse(text);
        if (!Array.isArray(state?.events) || !state.device) return "damaged";
        return { ...state, events: state.events.filter((event) => event?.event_id) };
      } catch { return "damaged"; }
    } catch { return "locked"; }
  }

  #load() {
    // The next call tries again if the storage is locked.
    return (this.#loading ??= this.#begin().finally(() => { this.#loading = undefined; }));
  }

  async #begin() {
    await this.#writing;
    if (this.#state || this.#alreadyInstalled === undefined) return;
    const known = await this.#read();
    if (known == "locked") return this.say("the file is locked: nothing is told until it can be read");
    let reason = known == "damaged" ? "its file is damaged" : undefined;
    if (!known)
      try {
        if ((await this.modules.storage.getItem(mark)) != null) reason = "it was told before";
        else if (this.#alreadyInstalled) reason = "the app was here before this kit";
      } catch { return; }
    if (this.#alreadyInstalled === undefined) return; // The consent was taken back meanwhile.
    this.#state = known?.events ? known : { device: this.world.newID(), hasInstall: !!reason, events: [] };
    if (reason) this.say("no install: " + reason);
    if (!known?.events) this.change(() => {});
  }

  #write(write) { this.#writing = this.#writing.then(write).catch(() => {}); }

  change(edit) {
    if (!this.#state || !edit) return this.#state;
    edit(this.#state);
    const text = this.text(this.#state);
    this.#write(() => this.modules.storage.setItem(name, text));
    return this.#state;
  }

  async deviceID() {
    await this.#load();
    return this.#state?.device ?? null;
  }

  /** Whether the `install` is still to be told: ask for the pasted link or the code now, if you do. */
  async isFirstLaunch() {
    await this.#load();
    return this.#state?.hasInstall === false && !this.#held;
  }

  /**
   * A link opened the app, or nothing did (null). On iPhones the first call tells the `install`, too: without a link,
   * two seconds later, because a link of the same launch may follow. On Android, installed() tells it.
   */
  async opened(link = null) {
    await this.#load();
    if (link || this.platform == "android" || this.#state?.hasInstall !== false || this.#state.clickID)
      return this.#tell(link);
    if (this.#held) return undefined;
    this.say("install: waits 2 seconds for a link");
    const held = (this.#held = {});
    this.world.sleep(2).then(() => { if (this.#held == held) this.#tell(null); });
  }

  async #tell(link) {
    this.#held = undefined;
    if (link) this.store("inbound_link", { url: link });
    if (this.platform != "android" && this.#state?.hasInstall === false) {
      this.say("install: names " + (this.#state.clickID ? "the click " + this.#state.clickID : "no click"));
      this.#tellInstall({});
    }
    const now = this.world.now();
    if (!link && !(Math.abs(now - this.#lastOpen) <= 18e5)) this.store("app_open");
    if (this.#state) this.#lastOpen = now;
    return this.#end();
  }

  #tellInstall(fields) {
    this.change((state) => { state.hasInstall = true; });
    this.store("install", fields);
  }

  /** What was stored is on the disk; sending goes on. */
  async #end() {
    this.send();
    await this.#writing;
  }

  /**
   * Android: tells the `install`, once, with what Google's install referrer says (null: there is none), and finds the
   * link that it names.
   */
  async installed(info = null) {
    await this.#load();
    if (!(await this.isFirstLaunch())) return { kind: "notFound" };
    const { installReferrer: referrer, referrerClickTimestampServerSeconds, installBeginTimestampServerSeconds } = info ?? {};
    // 0 stands for "not known".
    const at = (seconds) => (Number(seconds) > 0 ? this.time(Number(seconds) * 1e3) : undefined);
    const click = /(?:^|&)click_id=([^&]+)/.exec(referrer ?? "")?.[1];
    this.say(`install: ${referrer ? "the referrer names" : "names"} ${click ? "the click " + click : "no click"}`);
    this.#tellInstall({
      install_referrer: referrer, referrer_clicked_at: at(referrerClickTimestampServerSeconds),
      install_began_at: at(installBeginTimestampServerSeconds),
    });
    await this.#end();
    return click ? this.#find("click_id", decodeURIComponent(click)) : { kind: "notFound" };
  }

  async posted(callback, { dialog = "feed", ref } = {}) { return this.add("feed_post", { callback_url: callback, dialog, ref }); }

  /** Adds an event; `fields` are those of docs/event-reference.md. */
  async add(type, fields) {
    await this.#load();
    this.store(type, fields);
    return this.#end();
  }

  async send() {
    await this.#load();
    return super.send();
  }

  /**
   * Finds the tap of this installation by what the person has pasted or typed. Call it before opened() or installed() at
   * the first launch: the `install` then names the tap. Later, the next event does.
   */
  findLink({ pasted, code }) {
    if (code !== undefined) return this.#find("code", code);
    // A request has room for about as much; the link is one of the words.
    const text = pasted.length <= 2000 ? pasted : pasted.split(/\s+/).filter((word) => /click_id/i.test(word)).join(" ");
    return this.#find("text", text);
  }

  /** Call it when the person has tapped a button: iOS may ask for permission. Only a link of yours leaves the phone. */
  async findCopiedLink(host) {
    const text = await this.modules.clipboard.getString(), small = text.toLowerCase();
    // In capitals, encoded, or within a link of Facebook's: Tributary finds it.
    const isOurs = small.includes("click_id") && small.includes(host.toLowerCase());
    return isOurs ? this.findLink({ pasted: text }) : { kind: "notFound" };
  }

  async #find(by, value) {
    await this.#load();
    const device = this.#state?.device;
    if (!device) return { kind: "noAnswer" };
    if (!value || value.length > 2000) return { kind: "notFound" };
    const query = `${by}=${encodeURIComponent(value)}` + (by == "code" ? `&device_id=${encodeURIComponent(device)}` : "");
    const answer = await this.ask("/v1/deferred-links?" + query), fields = answer?.fields;
    this.say(`link: ${answer ? `answer ${answer.status} ${answer.text.slice(0, 500)}` : "no answer"}`);
    if (answer?.status == 429) return { kind: "tooManyTries", seconds: this.pause(answer) ?? 60 };
    if (answer?.status == 404 && fields?.code == "no_link") return { kind: "notFound" };
    if (answer?.status != 200 || typeof fields?.click_id != "string") return { kind: "noAnswer" };
    // The referrer names its click itself.
    if (by != "click_id") this.change((state) => { state.clickID = fields.click_id; });
    await this.#writing;
    const place = (name) => (typeof fields[name] == "string" ? fields[name] : null);
    return { kind: "found", link: { clickID: fields.click_id, appURL: place("app_url"), targetURL: place("target_url") } };
  }

  /**
   * Tells the link of the launch, each later one, and each return to the app, and on Android the install. Then
   * `onDeferredLink` is called, once: with the link, or why there is none. Returns a function that ends it.
   */
  async start({ onDeferredLink } = {}) {
    const { linking, appState, referrer } = this.modules;
    const isFirst = await this.isFirstLaunch();
    const ends = [
      linking?.addEventListener("url", ({ url }) => this.opened(url)),
      appState?.addEventListener("change", (state) => { if (state == "active") this.opened(null); }),
    ];
    await this.opened((await linking?.getInitialURL()) ?? null);
    if (isFirst && this.platform == "android" && referrer)
      // If Google Play does not answer, the next launch asks again.
      await Promise.resolve().then(referrer).then((info) => this.installed(info)).then(onDeferredLink, (error) => {
        this.say("install: Google Play does not answer: " + error);
      });
    return () => ends.forEach((end) => end?.remove());
  }
}
