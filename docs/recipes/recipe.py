import http.client, json, os, time, urllib.error, urllib.request, uuid


def send(events):
    headers = {"Authorization": "Bearer " + os.environ["TRIBUTARY_WRITE_KEY"], "Content-Type": "application/json"}
    body = json.dumps({"events": events}).encode()
    for attempt in range(10):
        pause = min(2**attempt, 60)
        try:
            request = urllib.request.Request(os.environ["TRIBUTARY_URL"] + "/v1/events", body, headers)
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code not in (408, 429):
                raise RuntimeError(error.read().decode())
            pause = int(error.headers.get("Retry-After", pause))
        except (OSError, http.client.HTTPException):
            pass  # no answer
        time.sleep(pause)
    raise RuntimeError("no answer after 10 tries")


print(send([{"type": "conversion", "event_id": str(uuid.uuid4()), "user_id": "bob", "name": "purchase"}]))
