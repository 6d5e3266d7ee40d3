// What the kits for pages (page.js) and for React Native (react-native.js) share: a queue that loses nothing. A kit
// keeps the state: change(edit) returns it, changed and stored, or nothing without consent.
export const newID = () => crypto.randomUUID?.() ?? "10000000-1000-4000-8000-100000000000".replace(/[018]/g,
  // Without https there is no randomUUID.
  (c) => (c ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (c / 4)))).toString(16));

const bytes = (event) => new TextEncoder().encode(JSON.stringify(event)).length + 1;
const object = (text) => {
  try {
    const value = JSON.parse(text);
    return value && typeof value == "object" && !Array.isArray(value) ? value : null;
  } catch { return null; }
};

/** A text of a million letters at most: a server may never end. */
const read = async (response) => {
  const reader = response.body?.getReader?.();
  if (!reader) return response.text();
  const decoder = new TextDecoder();
  for (let text = "";;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
    if (text.length > 1e6) throw new Error("too long");
  }
};

/** The whole answer within a minute, or null. */
export const ask = async (url, options) => {
  const control = new AbortController(), timer = setTimeout(() => control.abort(), options.limit ?? 6e4);
  const post = (more) => fetch(url, { ...options, ...more, redirect: "error", signal: control.signal });
  try {
    // Other scripts of the page may have taken the room for what outlives it.
    const response = await post().catch((error) => { if (options.keepalive) return post({ keepalive: false }); throw error; });
    return { status: response.status, text: await read(response), pause: response.headers.get("Retry-After") };
  } catch { return null; } finally {
    clearTimeout(timer);
    control.abort();
  }
};

export class Queue {
  // What a test replaces.
  world = { now: Date.now, newID, ask, sleep: (seconds) => new Promise((done) => setTimeout(done, seconds * 1e3)) };
  /** What the last request was answered with: 401 is a wrong key, null means no answer. */
  lastStatus = null;
  #failures = 0;
  #silence = null;
  #isSending = false;
  #sending = Promise.resolve();

  constructor(url, key, { platform, appVersion, debug, batchBytes = 5e5, world }) {
    Object.assign(this, { url, key, platform, appVersion, debug, batchBytes });
    Object.assign(this.world, world);
  }

  say(line) { this.debug?.("tributary: " + line); }
  time(at = this.world.now()) { return new Date(at).toISOString(); }

  /** Its id and its time are made now, once. */
  store(type, fields) {
    this.change((state) => {
      const event = {
        type, event_id: this.world.newID(), occurred_at: this.time(), device_id: state.device, platform: this.platform,
        app_version: this.appVersion, ...fields,
      };
      // A link has its own click.
      if (type != "inbound_link" && state.clickID) {
        event.click_id = state.clickID;
        delete state.clickID;
      }
      if (bytes(event) > 5e5) return this.say(type + " is too large for a request: it is not kept");
      state.events.push(event);
    });
  }

  /** The state as it is stored: with the newest thousand events, and two million letters of them. */
  text(state) {
    const text = JSON.stringify(state), { events } = state;
    if (events.length <= 1000 && text.length <= 2e6) return text;
    let kept = 0;
    for (let size = 0; kept < Math.min(events.length, 1000); kept++)
      if ((size += JSON.stringify(events[events.length - 1 - kept]).length) > 2e6) break;
    this.say(`${events.length - kept} event was dropped: ${kept} wait`);
    events.splice(0, events.length - kept);
    return JSON.stringify(state);
  }

  /** Sends what waits; the promise is kept when there is nothing more to do. */
  send() {
    if (!this.#isSending && !this.#isSilent() && this.change()?.events.length) {
      this.#isSending = true;
      this.#sending = this.#sendAll();
    }
    return this.#sending;
  }

  /** The server asked for silence. If the clock goes back before its begin, it is over. */
  #isSilent() {
    const now = this.world.now();
    return !!this.#silence && now >= this.#silence[0] && now < this.#silence[1];
  }

  /** Each turn takes an event from the queue, or is the last. */
  async #sendAll() {
    for (let all; (all = this.change()?.events ?? []).length && !this.#isSilent();) {
      let size = 100;
      const events = all.slice(0, 100).filter((event, i) => (size += bytes(event)) <= this.batchBytes || !i);
      for (const event of events) this.say("sends " + JSON.stringify(event));
      // By `sent_at`, Tributary sees how wrong the clock is.
      const body = JSON.stringify({ sent_at: this.time(), events });
      const answer = await this.post(body);
      const ids = answer ? this.#done(answer, events) : [];
      if (ids.length) {
        this.#failures = 0;
        this.say(`answer ${answer.status}: ${ids.length} of ${events.length} done`);
        this.change((state) => { state.events = state.events.filter((event) => !ids.includes(event.event_id)); });
        continue;
      }
      // No answer, too busy, or a wrong key or address: the events wait, with their ids.
      this.#failures = Math.min(this.#failures + 1, 12);
      const pause = this.pause(answer) ?? Math.min(2 ** this.#failures, 3600), now = this.world.now();
      this.#silence = [now, now + pause * 1e3];
      const hint = { 401: " is the key right?", 403: " is the key right?", 404: " is the url right?" }[answer?.status] ?? "";
      this.say(`${answer ? `answer ${answer.status}` : "no answer"}:${hint} tries again in ${pause} seconds`);
    }
    this.#isSending = false;
  }

  post(body) { return this.ask("/v1/events", { method: "POST", body }); }

  async ask(path, options = {}) {
    const headers = { "Content-Type": "application/json", ...(this.key && { Authorization: "Bearer " + this.key }) };
    const answer = await this.world.ask(this.url + path, { ...options, headers });
    this.lastStatus = answer?.status ?? null;
    if (answer) answer.fields = object(answer.text);
    return answer;
  }

  /** In seconds: a number above 0, and a day at most. */
  pause(answer) {
    const pause = parseFloat(answer?.pause);
    return pause > 0 ? Math.min(pause, 86400) : undefined;
  }

  /** The ids that are stored, or refused for good. With 422 none of the batch is valid; only what is named counts. */
  #done({ status, fields }, events) {
    // Without an object somebody else has answered, such as the page of a Wi-Fi's login.
    if (![200, 202, 422].includes(status) || !fields) return [];
    const refused = [].concat(Array.isArray(fields.rejected) ? fields.rejected : []).flatMap((rejection) => {
      const event = Number.isInteger(rejection?.index) ? events[rejection.index] : undefined;
      if (event) this.say(`rejected ${event.type}: ${rejection.code} ${rejection.message ?? ""}`);
      return event ? [event.event_id] : [];
    });
    return status == 422 ? refused : events.map((event) => event.event_id);
  }
}
