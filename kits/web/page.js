// Tells Tributary of visits (docs/app-kits.md). On each page, with the visitor's choice:
//   const t = tributary("https://events.example.com", "trib_a_...", consent)
//   t.add("feed_post", { outcome: "posted", ref: "recipe" })
// `nobody`: hosts from which visitors only come back, besides these.
function tributary(url, key, consent, { nobody = [] } = {}) {
  const backs = ["paypal.com", "stripe.com", "klarna.com", "adyen.com", "braintreegateway.com", "mollie.com", "payu.com",
    "worldpay.com", "checkout.com", "razorpay.com", "sofort.com", "pay.google.com", "pay.amazon.com", "alipay.com",
    "accounts.google.com", "appleid.apple.com", "login.microsoftonline.com", "login.live.com", "login.yahoo.com",
    "auth0.com", "okta.com"].concat(nobody);
  const name = "tributary", time = () => new Date().toISOString();
  if (!consent) {
    try { delete localStorage[name]; } catch {}
    return { add() {}, send() {} };
  }
  // Without https there is no randomUUID.
  const id = () => crypto.randomUUID?.() ?? "10000000-1000-4000-8000-100000000000".replace(/[018]/g,
    (c) => (c ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (c / 4)))).toString(16));
  // If there is no storage, or no room in it, the events wait in memory.
  let state, isKept = true, isSending = false;
  const change = (edit) => {
    try { if (isKept) state = JSON.parse(localStorage[name]); } catch {}
    if (!state?.events) state = { device: id(), seen: 0, events: [] };
    edit?.(state);
    state.events.splice(0, state.events.length - 1000);
    try { localStorage[name] = JSON.stringify(state); isKept = true; } catch { isKept = false; }
    return state;
  };
  // Browsers hold back what is larger than 64 KiB and may outlive its page.
  const most = 6e4, bytes = (event) => new TextEncoder().encode(JSON.stringify(event)).length + 1;
  const send = async () => {
    if (isSending) return;
    isSending = true;
    for (let all; (all = change().events).length;) {
      let size = 100;
      const events = all.slice(0, 100).filter((event, i) => (size += bytes(event)) <= most || !i);
      const headers = { Authorization: "Bearer " + key, "Content-Type": "application/json" };
      const body = JSON.stringify({ sent_at: time(), events });
      const post = (keepalive) => fetch(url + "/v1/events", { method: "POST", headers, body, keepalive });
      // Other scripts of the page may have taken the room.
      const answer = await post(bytes(events) < most).catch(() => post(false)).catch(() => 0);
      let ids = [200, 202].includes(answer.status) ? events.map((event) => event.event_id) : [];
      // No event is valid. Only what is named is refused for good.
      if (answer.status == 422)
        try { ids = (await answer.json()).rejected.map((r) => events[r.index].event_id); } catch {}
      // Else the next page tries again.
      if (!ids.length) break;
      change((s) => { s.events = s.events.filter((event) => !ids.includes(event.event_id)); });
    }
    isSending = false;
  };
  const add = (type, fields) => {
    change((s) => s.events.push({
      type, event_id: id(), occurred_at: time(), device_id: s.device, platform: "web", ...fields,
    }));
    return send();
  };
  const visit = () => {
    const { hostname, href, search, hash } = location, { referrer } = document, from = referrer && new URL(referrer);
    const isOf = (host) => ("." + from.hostname).endsWith("." + host);
    const isLogin = (/[?&]state=/.test(search) && /[?&](code|error)=/.test(search)) || hash == "#_=_";
    const isBrought = from && !isLogin && ![hostname.replace(/^(www|m)\./, ""), ...backs].some(isOf);
    // The browser shows again what it has shown before.
    const isAgain = /reload|back/.test(performance.getEntriesByType("navigation")[0]?.type);
    const last = change().seen;
    change((s) => { s.seen = Date.now(); });
    if (!isAgain && (isBrought || /[?&]click_id=/.test(search)))
      // An Android app as the referrer has no origin.
      add("inbound_link", { url: href, ...(from && { referer_url: from.origin == "null" ? referrer : from.origin }) });
    else if (Date.now() - last > 18e5) add("app_open");
    else send();
  };
  // Nobody may ever see a page that is made in advance.
  if (document.prerendering) document.addEventListener("prerenderingchange", visit, { once: true });
  else visit();
  return { add, send, device: change().device };
}
