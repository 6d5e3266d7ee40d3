// Tells Tributary of visits (docs/app-kits.md). On each page, with the visitor's choice:
//   const tributary = new TributaryApp("https://events.example.com", "trib_a_…")
//   tributary.setConsent(true)
//   tributary.opened()
import { Queue } from "./core.js";

/** From there visitors only come back. */
const backs = ["paypal.com", "stripe.com", "klarna.com", "adyen.com", "braintreegateway.com", "mollie.com", "payu.com",
  "worldpay.com", "checkout.com", "razorpay.com", "sofort.com", "pay.google.com", "pay.amazon.com", "alipay.com",
  "accounts.google.com", "appleid.apple.com", "login.microsoftonline.com", "login.live.com", "login.yahoo.com",
  "auth0.com", "okta.com"];
const name = "tributary";
// A document remembers what it told, over its routes.
const mark = Symbol.for("tributary.visit");
// Browsers hold back what is larger than 64 KiB and may outlive its page.
const most = 6e4;

/** Of `Bank.Example`, `https://bank.example/pay`, `*.bank.example` or `bücher.example`; undefined if there is none. */
const host = (text) => {
  try { return new URL(text.replace(/^\s*([\w.+-]*:?\/\/)?(\*?\.)?/, "https://")).hostname; } catch {}
};
const isOf = (host, domain) => ("." + host).endsWith("." + domain);
const plain = (host) => host.replace(/^(www|m)\.(?=.*\.)/, "");

/** Whether a login leads here. Links of Facebook's may have the same in them. */
const isLogin = (all, fragment) => {
  const has = (names, text = all) => RegExp(`[?&#](${names})=`).test(text);
  return !has("fb_\\w*|fbclid|al_applink_data|target_url") &&
    (fragment == "#_=_" || has("access_token|id_token", fragment) || (has("code|error") && has("state")) ||
      (has("error") && has("error_(reason|description)")));
};

export class TributaryApp extends Queue {
  // If there is no storage, or no room in it, the events wait in memory.
  #state;
  #isKept = true;
  #hasConsent = false;
  #waits;

  constructor(url, key, { nobody = [], ...options } = {}) {
    super(url, key, { platform: "web", batchBytes: most, ...options });
    this.backs = backs.concat(nobody).map(host).filter(Boolean);
  }

  /** On each page, before anything else. `false` deletes all that is stored. */
  setConsent(isGiven) {
    this.#hasConsent = isGiven;
    if (isGiven) return this.#waits ? this.opened() : void this.change();
    this.#state = undefined;
    try { delete localStorage[name]; } catch {}
  }

  get deviceID() { return this.change()?.device ?? null; }

  change(edit) {
    if (!this.#hasConsent) return undefined;
    let text;
    try {
      text = localStorage[name];
      if (this.#isKept) this.#state = JSON.parse(text ?? "null");
    } catch {
      // It is damaged.
      if (text) this.#state = undefined;
    }
    const isNew = !Array.isArray(this.#state?.events);
    if (isNew) this.#state = { device: this.world.newID(), seen: 0, events: [] };
    // Other scripts may write here.
    this.#state.events = this.#state.events.filter((event) => event?.event_id);
    edit?.(this.#state);
    if (edit || isNew)
      try {
        localStorage[name] = this.text(this.#state);
        this.#isKept = true;
      } catch { this.#isKept = false; }
    return this.#state;
  }

  /** Adds an event; `fields` are those of docs/event-reference.md. */
  add(type, fields) {
    this.store(type, fields);
    return this.send();
  }

  /** A dialog for a post ended; pass on cancelled ones, too. */
  posted(callback, { dialog = "feed", ref } = {}) { return this.add("feed_post", { callback_url: callback, dialog, ref }); }

  post(body) {
    const keepalive = new TextEncoder().encode(body).length <= most + 100;
    return this.ask("/v1/events", { method: "POST", body, keepalive });
  }

  /** Tells the visit, once somebody sees the page and has agreed. */
  opened() {
    // A page made in advance may change its route, and never be seen.
    const visit = (document[mark] ??= { link: this.#link() }), { link } = visit;
    if (document.prerendering) return document.addEventListener("prerenderingchange", () => this.opened());
    this.#waits = !this.#hasConsent;
    if (this.#waits) return;
    const now = this.world.now(), last = this.change().seen;
    this.change((state) => { state.seen = now; });
    visit.link = null;
    if (link) this.add("inbound_link", link);
    else if (Math.abs(now - last) > 18e5) this.add("app_open");
    else this.send();
  }

  /** What brought somebody to this document, or null. */
  #link() {
    const { hostname, href: url, search, hash } = location, { referrer } = document;
    // The browser shows again what it has shown before.
    if (/reload|back/.test(performance.getEntriesByType("navigation")[0]?.type)) return null;
    const hasClick = /[?&]click_id=/.test(search);
    if (!referrer) return hasClick ? { url } : null;
    const { hostname: from, origin } = new URL(referrer.toLowerCase());
    if (!hasClick && (isOf(from, plain(hostname)) || isOf(hostname, plain(from)) ||
      this.backs.some((back) => isOf(from, back)) || isLogin(search + hash, hash))) return null;
    // An Android app has no origin.
    return { url, referer_url: origin == "null" ? referrer : origin };
  }
}
