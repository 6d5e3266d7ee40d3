// Tells Tributary of visits (docs/app-kits.md). On each page, with the visitor's choice:
//   const t = tributary("https://events.example.com", "trib_a_...", consent)
//   t.add("feed_post", { outcome: "posted", ref: "recipe" })
function tributary(url, key, consent) {
  const name = "tributary", id = () => crypto.randomUUID(), time = () => new Date().toISOString();
  let memory; // if there is no storage
  const change = (edit) => {
    try { memory = JSON.parse(localStorage[name]); } catch {}
    memory ||= { device: id(), seen: 0, events: [] };
    edit?.(memory);
    try { localStorage[name] = JSON.stringify(memory); } catch {}
    return memory;
  };
  if (!consent) {
    try { delete localStorage[name]; } catch {}
    return { add() {}, send() {} };
  }
  const send = async () => {
    const events = change().events.slice(0, 50);
    if (!events.length) return;
    const headers = { Authorization: "Bearer " + key, "Content-Type": "application/json" };
    const body = JSON.stringify({ sent_at: time(), events });
    const answer = await fetch(url + "/v1/events", { method: "POST", headers, body, keepalive: true }).catch(() => 0);
    // Else the next page tries again.
    if (![200, 202, 422].includes(answer.status)) return;
    const ids = events.map((e) => e.event_id);
    change((s) => { s.events = s.events.filter((e) => !ids.includes(e.event_id)); });
    return send();
  };
  const add = (type, fields) => {
    change((s) => s.events.push({
      type, event_id: id(), occurred_at: time(), device_id: s.device, platform: "web", ...fields,
    }));
    return send();
  };
  const from = document.referrer && new URL(document.referrer), { host, href, search } = location;
  const last = change().seen;
  change((s) => { s.seen = Date.now(); });
  if (from && from.host != host || /[?&]click_id=/.test(search))
    add("inbound_link", { url: href, ...(from && { referer_url: from.origin }) });
  else if (Date.now() - last > 18e5) add("app_open");
  else send();
  return { add, send, device: change().device };
}
