// A server on loopback that answers as badly as it can: every status, wrong JSON, cut, slow, endless, nothing. It remembers
// which events it has stored or refused by name, so that a test can ask afterwards whether one was lost or sent in two
// ways: GET /tally. From GET /calm on, it stores everything.
//
//   node hostile.mjs [SEED]      prints its address, and ends by a signal or after a quarter of an hour
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const junk = ["", "null", "[]", "7", '"text"', '{"accepted":', "<html>Log in to our Wi-Fi</html>", "\u0000\u0001", "[".repeat(5e4), '{"a":'.repeat(2e4),
  '{"rejected":7}x', "\ufeff", "9".repeat(500)];
const lies = ["{}", '{"rejected":null}', '{"rejected":{"index":0}}', '{"rejected":[{"index":-1},{"index":1e99},{},null,7,"0"]}',
  '{"click_id":7,"app_url":[]}', '{"rejected":[{"index":0.5}]}', '{"accepted":"many"}', '{"code":null}'];
const pauses = [undefined, "0", "-1", "1e308", "nan", "soon", "Wed, 21 Oct 2099 07:28:00 GMT", "7", "9".repeat(400), ""];

export async function startHostile(seed = 1) {
  let state = seed >>> 0 || 1;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = (list) => list[random(list.length)];
  const tally = { answers: 0, stored: [], refused: [], inTwoWays: [] };
  const texts = new Map(), stored = new Set(), refused = new Set();
  let isCalm = false, stalls = 0, floods = 0;

  const head = (status, body, pause, length = Buffer.byteLength(body)) =>
    `HTTP/1.1 ${status} Whatever\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n` +
    (pause === undefined ? "" : `Retry-After: ${pause}\r\n`) + (status == 302 ? "Location: /elsewhere\r\n" : "") + "\r\n";

  function answer(socket, events) {
    const store = () => events.forEach((event) => stored.add(event.event_id));
    const end = (text) => socket.end(text);
    switch (isCalm ? 0 : random(12)) {
      case 0: case 1: case 2:
        store();
        return end(head(200, '{"accepted":1}') + '{"accepted":1}');
      case 3: // Stored, and the answer is lost.
        store();
        return socket.destroy();
      case 4: // Stored or not: the answer is cut.
        if (random(2)) store();
        return end(head(200, "", undefined, 99) + '{"accepted":1}');
      case 5: { // Every status, with all bodies. Whoever answers 200 with an object has stored the events.
        const status = 100 + random(500), body = pick([...junk, ...lies]);
        if (status < 200) return end(head(status, "") + head(503, body, pick(pauses)) + body);
        if ((status == 200 || status == 202) && lies.includes(body)) store();
        return end(head(status, body, pick(pauses)) + body);
      }
      case 6: { // Not what it says.
        const body = pick(junk);
        return end(head(pick([200, 202, 422]), body) + body);
      }
      case 7: { // Refused by name, and much else.
        const body = JSON.stringify({ rejected: [{ index: 0, code: "junk" }, { index: 99, code: 7 }, null] });
        if (events.length) refused.add(events[0].event_id);
        return end(head(422, body) + body);
      }
      case 8:
        return end(head(pick([429, 503, 500, 401, 404, 302, 308]), "{}", pick(pauses)) + "{}");
      case 9:
        return end(pick(["garbage\r\n\r\n", "HTTP/1.1 99999 X\r\n\r\n", "HTTP/1.1\r\n\r\n", "\u0000", "HTTP/9.9 200 OK\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: -7\r\n\r\n[]", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
          "HTTP/1.1 503 X\r\n" + "X-Long: y\r\n".repeat(200) + "\r\n"]));
      case 10:
        if (random(20) == 0 && stalls++ < 3) return; // Never.
        socket.write(head(503, "{}"));
        return setTimeout(() => end("{}"), random(20));
      default:
        if (random(50) || floods++ >= 5) return socket.resetAndDestroy();
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (let piece = 0; piece < 40; piece++) socket.write(`10000\r\n${" ".repeat(0x10000)}\r\n`);
        return end("2\r\n{}\r\n0\r\n\r\n");
    }
  }

  const server = createServer(async (request, response) => {
    const { socket } = request;
    let text = "";
    try { for await (const piece of request) text += piece; } catch { return; } // The kit has given up.
    if (request.url == "/calm") isCalm = true;
    if (request.url == "/calm" || request.url == "/tally")
      return response.end(JSON.stringify({ ...tally, stored: [...stored], refused: [...refused] }));
    // URLSession on Linux repeats a request by itself, and then without its body.
    const events = text ? JSON.parse(text).events : [];
    for (const event of events) {
      const known = texts.get(event.event_id) ?? JSON.stringify(event);
      if (known != JSON.stringify(event)) tally.inTwoWays.push(event.event_id);
      texts.set(event.event_id, known);
    }
    tally.answers++;
    answer(socket, events);
  });
  server.on("clientError", (error, socket) => socket.destroy());
  server.on("connection", (socket) => socket.on("error", () => {}));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => { server.closeAllConnections(); server.close(); } };
}

if (process.argv[1] && import.meta.url == pathToFileURL(process.argv[1]).href) {
  const server = await startHostile(Number(process.argv[2] ?? Date.now()));
  console.log(server.url);
  setTimeout(() => process.exit(), 9e5);
}
