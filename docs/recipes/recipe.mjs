import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

async function post(body, key = process.env.TRIBUTARY_WRITE_KEY) {
  const url = process.env.TRIBUTARY_URL;
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const signal = AbortSignal.timeout(10_000);
  const answer = await fetch(`${url}/v1/events`, { method: "POST", headers, body, signal });
  return { status: answer.status, retryAfter: answer.headers.get("Retry-After"), text: await answer.text() };
}

async function send(events) {
  const body = JSON.stringify({ events });
  for (let attempt = 0; attempt < 10; attempt++) {
    const answer = await post(body).catch(() => null); // null: no answer
    if (answer && answer.status < 300) return JSON.parse(answer.text);
    if (answer && answer.status < 500 && ![408, 429].includes(answer.status)) throw new Error(answer.text);
    await sleep(1000 * Number(answer?.retryAfter ?? Math.min(2 ** attempt, 60)));
  }
  throw new Error("no answer after 10 tries");
}

async function relay(body) {
  const answer = await post(body, process.env.TRIBUTARY_APP_KEY).catch(() => null);
  return answer ?? { status: 503, retryAfter: "5", text: "" };
}

if (process.argv.includes("relay")) {
  console.log(await relay(await text(process.stdin)));
  process.exit();
}
console.log(await send([{ type: "conversion", event_id: randomUUID(), user_id: "bob", name: "purchase" }]));
