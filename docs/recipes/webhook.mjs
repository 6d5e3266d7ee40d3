// Receives webhooks of Tributary and pays each settled credit without doubt once (docs/webhooks.md). Node 18 or newer.
//
//     WEBHOOK_SECRET=whsec_… node webhook.mjs 8090 rewards.ndjson

import { createHmac, timingSafeEqual } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";

const [port, file] = process.argv.slice(2);
const key = Buffer.from(process.env.WEBHOOK_SECRET.replace(/^whsec_/, ""), "base64");

/** Whether Tributary signed this body within the last five minutes. */
function isSigned(headers, body) {
  const stamp = headers["webhook-timestamp"] ?? "";
  if (!/^\d+$/.test(stamp) || Math.abs(Date.now() / 1000 - Number(stamp)) > 300) return false;
  const signed = Buffer.concat([Buffer.from(`${headers["webhook-id"]}.${stamp}.`), body]);
  const expected = Buffer.from("v1," + createHmac("sha256", key).update(signed).digest("base64"));
  return (headers["webhook-signature"] ?? "").split(" ").some((one) => {
    const given = Buffer.from(one);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

// What was paid, by event and touch. In your backend this is a table with a unique key, written in the transaction that
// pays.
const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
const paid = new Set(lines.map((line) => JSON.parse(line).key));

function pay(word) {
  // Anybody can send an event with the app's key.
  if (word.event.sent_by !== "server") return;
  const doubt = new Set([word.event, ...(word.credits ?? [])].flatMap((told) => told.doubt));
  if (doubt.size > 0) return console.log(`not paid, look at event ${word.event.id}: ${[...doubt].join(", ")}`);
  for (const credit of word.credits ?? []) {
    const key = `${word.event.id} ${credit.touch_id}`;
    if (!credit.poster?.user_id || paid.has(key)) continue;
    appendFileSync(file, JSON.stringify({ key, user_id: credit.poster.user_id, credit: credit.credit }) + "\n");
    paid.add(key);
  }
}

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  if (!isSigned(request.headers, body)) return response.writeHead(401).end();
  const word = JSON.parse(body);
  if (word.type === "credit.settled") pay(word);
  response.writeHead(204).end();
}).listen(Number(port), "127.0.0.1");
