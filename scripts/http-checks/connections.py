"""Holds idle and slow connections open. Meanwhile the daemon must answer honest clients.

Uses only the standard library.
"""

import argparse
import asyncio
import collections
import json
import sys
import time
import uuid

HONEST = 8


class Held:
    """Counts the held connections that are open, and how the others ended."""

    def __init__(self):
        self.open = 0
        self.ended = collections.Counter()


async def connect(arguments):
    return await asyncio.open_connection(arguments.host, arguments.port)


async def hold(arguments, held, kind, pieces, pause):
    """Sends the pieces with a pause after each, until the daemon closes the connection."""
    try:
        reader, writer = await asyncio.wait_for(connect(arguments), 60)
    except (OSError, TimeoutError):
        held.ended[f"{kind}: not connected"] += 1
        return
    held.open += 1
    try:
        answer = asyncio.ensure_future(reader.read(200))
        for piece in pieces:
            if answer.done():
                break
            writer.write(piece)
            await writer.drain()
            await asyncio.wait([answer], timeout=pause)
        received = await answer
        held.ended[f"{kind}: {received[9:12].decode() if received else 'closed'}"] += 1
    except ConnectionError:
        held.ended[f"{kind}: closed"] += 1
    finally:
        held.open -= 1
        writer.close()


def slow_pieces(arguments, number):
    head = (
        f"POST /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {arguments.write_key}\r\n"
        "Content-Type: application/json\r\nContent-Length: 4000\r\n\r\n"
    ).encode()
    if number % 2 == 0:
        return "slow head", [bytes([byte]) for byte in head]
    return "slow body", [head] + [b" "] * 1000


async def ask(arguments, end, latencies, faults):
    """An honest client: sends events and asks for the daemon's health in turn, on one connection."""
    reader, writer = await connect(arguments)
    while time.monotonic() < end:
        body = json.dumps({"type": "install", "user_id": "honest", "event_id": str(uuid.uuid4())}).encode()
        post = (
            f"POST /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {arguments.write_key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode() + body
        for request in (post, b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n"):
            began = time.monotonic()
            try:
                writer.write(request)
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
                length = next(int(line[15:]) for line in head.decode().split("\r\n") if line.lower().startswith("content-length:"))
                answer = await asyncio.wait_for(reader.readexactly(length), 30)
            except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
                faults.append(repr(error))
                reader, writer = await connect(arguments)
                continue
            latencies.append(time.monotonic() - began)
            if head[9:12] != b"200":
                faults.append(f"{head[9:12]!r} {answer[:200]!r}")
        await asyncio.sleep(0.01)
    writer.close()


async def run(arguments):
    held = Held()
    tasks = [asyncio.ensure_future(hold(arguments, held, "idle", [], 1)) for _ in range(arguments.idle)]
    for number in range(arguments.slow):
        kind, pieces = slow_pieces(arguments, number)
        tasks.append(asyncio.ensure_future(hold(arguments, held, kind, pieces, 0.5)))
    wanted = arguments.idle + arguments.slow
    for _ in range(600):
        if held.open + sum(held.ended.values()) >= wanted:
            break
        await asyncio.sleep(0.1)
    opened = held.open
    latencies, faults = [], []
    end = time.monotonic() + arguments.seconds
    await asyncio.gather(*(ask(arguments, end, latencies, faults) for _ in range(HONEST)))
    latencies.sort()
    share = lambda part: latencies[min(len(latencies) - 1, int(len(latencies) * part))] * 1000
    print(
        f"connections: {opened} of {wanted} held ({arguments.idle} idle, {arguments.slow} slow) for {arguments.seconds} s; "
        f"{held.open} still open, ended {dict(held.ended)}"
    )
    print(f"honest: {len(latencies)} answers, p50 {share(0.5):.1f} ms, p99 {share(0.99):.1f} ms, longest {latencies[-1] * 1000:.0f} ms, faults {len(faults)}")
    for fault in faults[:5]:
        print(fault)
    still_open = held.open
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    holds = not faults and opened == wanted and len(latencies) > 0
    if arguments.seconds >= 90 and still_open > 0:
        print(f"the daemon did not close {still_open} connections")
        holds = False
    return holds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", required=True)
    parser.add_argument("--write-key", required=True)
    parser.add_argument("--idle", type=int, required=True)
    parser.add_argument("--slow", type=int, required=True)
    parser.add_argument("--seconds", type=int, required=True)
    arguments = parser.parse_args()
    arguments.host, _, port = arguments.base.removeprefix("http://").rpartition(":")
    arguments.port = int(port)
    sys.exit(0 if asyncio.run(run(arguments)) else 1)


if __name__ == "__main__":
    main()
