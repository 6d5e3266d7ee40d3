import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

async function ask(path, body, key, more = {}) {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...more };
  const request = { headers, ...(body && { method: "POST", body }), signal: AbortSignal.timeout(10_000) };
  const answer = await fetch(process.env.TRIBUTARY_URL + path, request);
  return { status: answer.status, retryAfter: answer.headers.get("Retry-After"), text: await answer.text() };
}

async function send(events) {
  const body = JSON.stringify({ events });
  for (let attempt = 0; attempt < 10; attempt++) {
    const answer = await ask("/v1/events", body, process.env.TRIBUTARY_WRITE_KEY).catch(() => null); // null: no answer
    if (answer && answer.status < 300) return JSON.parse(answer.text);
    if (answer && answer.status < 500 && ![408, 429].includes(answer.status)) throw new Error(answer.text);
    await sleep(1000 * Number(answer?.retryAfter ?? Math.min(2 ** attempt, 60)));
  }
  throw new Error("no answer after 10 tries");
}

async function relay(path, body, address) {
  if (!["/v1/events", "/v1/deferred-links"].includes(path.split("?")[0])) return { status: 404, text: "" };
  const more = { "X-Forwarded-For": address };
  const answer = await ask(path, body, process.env.TRIBUTARY_APP_KEY, more).catch(() => null);
  return answer ?? { status: 503, retryAfter: "5", text: "" };
}

if (process.argv.includes("relay")) {
  console.log(await relay(process.argv[3], await text(process.stdin), "192.0.2.1"));
  process.exit();
}
console.log(await send([{ type: "conversion", event_id: randomUUID(), user_id: "bob", name: "purchase" }]));
