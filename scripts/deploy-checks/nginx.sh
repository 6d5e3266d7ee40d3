#!/usr/bin/env bash
# Tries deploy/nginx/tributary.conf: its syntax, and over TLS with a real daemon behind it. The daemon, not nginx, must
# answer what is over a limit. Internal paths must not be reachable, and no query may reach a log.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make_cluster server "shared_buffers = 16MB"
"$pg/createdb" -h "$folder/server" -U postgres tributary
make_app "$(address server)"
start_daemon daemon "$bin" TRIBUTARY_DATABASE_URL="$(address server)"

mkdir "$folder/nginx"
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$folder/nginx/tributary.key" -out "$folder/nginx/tributary.crt" -days 2 \
    -subj /CN=events.example.com -addext subjectAltName=DNS:events.example.com 2>/dev/null
read -r plain tls < <(python3 - <<'PYTHON'
import socket
sockets = [socket.socket() for _ in range(2)]
for each in sockets:
    each.bind(("127.0.0.1", 0))
print(*[each.getsockname()[1] for each in sockets])
PYTHON
)
# shellcheck disable=SC2154
sed -e "s#/etc/nginx/tls/#$folder/nginx/#; s#/var/log/nginx/#$folder/nginx/#; s#127.0.0.1:8080#${base_daemon#http://}#" \
    -e "s/listen 80;/listen 127.0.0.1:$plain;/; s/listen 443 /listen 127.0.0.1:$tls /; /listen \[::\]/d" \
    "$root/deploy/nginx/tributary.conf" >"$folder/nginx/tributary.conf"
cat >"$folder/nginx/nginx.conf" <<CONF
daemon off;
pid $folder/nginx/pid;
error_log $folder/nginx/error.log;
events {}
http {
    client_body_temp_path $folder/nginx/body;
    proxy_temp_path $folder/nginx/proxy;
    fastcgi_temp_path $folder/nginx/fastcgi;
    uwsgi_temp_path $folder/nginx/uwsgi;
    scgi_temp_path $folder/nginx/scgi;
    include $folder/nginx/tributary.conf;
}
CONF
# The configuration as shipped, except for its paths and ports.
nginx -t -c "$folder/nginx/nginx.conf" 2>"$folder/nginx/test" || die "$(cat "$folder/nginx/test")"
! grep -q warn "$folder/nginx/test" || die "$(cat "$folder/nginx/test")"
nginx -c "$folder/nginx/nginx.conf" &
children+=("$!")
for _ in $(seq 100); do
    [ -s "$folder/nginx/pid" ] && break
    sleep 0.05
done

PLAIN=$plain TLS=$tls KEY=$write_key READ_KEY=$read_key CERTIFICATE=$folder/nginx/tributary.crt python3 - <<'PYTHON' || die "requests through nginx"
import html, http.client, json, os, re, socket, ssl, sys

context = ssl.create_default_context(cafile=os.environ["CERTIFICATE"])


class Connection(http.client.HTTPSConnection):
    def connect(self):
        raw = socket.create_connection(("127.0.0.1", int(os.environ["TLS"])), 30)
        self.sock = context.wrap_socket(raw, server_hostname="events.example.com")


def ask(method, path, body=None, headers={}):
    connection = Connection("events.example.com", context=context)
    connection.request(method, path, body, {"Authorization": "Bearer " + os.environ["KEY"], **headers})
    answer = connection.getresponse()
    return answer.status, answer.getheader("Content-Type"), answer.read()


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found}, expected {wanted}")


json_type = {"Content-Type": "application/json"}
expect("an event", ask("POST", "/v1/events", '{"type":"install","user_id":"u"}', json_type)[0], 200)
expect("a token in a query", ask("POST", "/v1/events?access_token=PLANTED1&x=PLANTED2", "{}", json_type)[0] >= 400, True)
# A body over the daemon's limit, a wrong key, a long target: the daemon answers with its own problem documents.
status, kind, body = ask("POST", "/v1/events", b" " * (8 * 1024 * 1024 + 1000), json_type)
expect("a body over the limit", (status, kind), (413, "application/problem+json"))
status, kind, body = ask("POST", "/v1/events", "{}", {**json_type, "Authorization": "Bearer PLANTED3"})
expect("a wrong key", (status, kind, json.loads(body)["code"]), (401, "application/problem+json", "unknown_key"))
status, kind, body = ask("GET", "/v1/reports/channels?x=" + "PLANTED4" * 1100)
expect("a long target", (status, kind), (414, "application/problem+json"))
large = b'{"events":[{"type":"install","user_id":"v"}' + b" " * (7 << 20) + b"]}"
expect("a body of 7 MiB", ask("POST", "/v1/events", large, json_type)[0], 200)
expect("/metrics", ask("GET", "/metrics")[0], 404)
expect("/healthz", ask("GET", "/healthz")[0], 404)
expect("/readyz", ask("GET", "/readyz")[0], 200)
expect("/openapi.yaml", ask("GET", "/openapi.yaml")[0], 200)
# The dashboard. Its cookie must be for TLS only.
reader = {"Authorization": "Bearer " + os.environ["READ_KEY"]}
unknown = ask("GET", "/questions/weekly", headers=reader)
expect("a question the daemon does not know", unknown[:2], (404, "application/problem+json"))
expect("the style sheet", ask("GET", "/assets/style.css")[0], 200)
connection = Connection("events.example.com", context=context)
form = {"Content-Type": "application/x-www-form-urlencoded"}
connection.request("POST", "/sign-in", "then=/live&key=" + os.environ["READ_KEY"], form)
answer = connection.getresponse()
cookie = answer.getheader("Set-Cookie") or ""
expect("signing in", (answer.status, "; Secure" in cookie and "; HttpOnly" in cookie), (303, True))
expect("the cookie's name", cookie.startswith("__Host-tributary_session="), True)
session = {"Cookie": cookie.split(";")[0]}
expect("the live view", ask("GET", "/live", headers=session)[0], 200)
# Wherever a page leads, the daemon answers, not nginx: only the daemon's answers have a request id.
found, unread = {"/"}, ["/"]
while unread:
    address = unread.pop()
    connection = Connection("events.example.com", context=context)
    connection.request("GET", address, headers={"Accept": "text/html", **session})
    answer = connection.getresponse()
    page = answer.read().decode(errors="replace")
    expect(f"{address}: from the daemon", answer.getheader("X-Request-Id") is not None, True)
    for link in map(html.unescape, re.findall(r' (?:href|src|action)="(/[^"]*)"', page)):
        path = link.split("?")[0]
        if path not in found:
            found.add(path)
            unread.append(link)
for path in ["/people", "/person", "/csv/channels.csv", "/assets/style.css", "/questions", "/links", "/sign-out"]:
    expect(f"{path} is linked from a page", path in found, True)
print(f"  {len(found)} paths of the dashboard through nginx")
plain = http.client.HTTPConnection("127.0.0.1", int(os.environ["PLAIN"]), timeout=30)
plain.request("POST", "/v1/events?access_token=PLANTED5", "{}", {"Authorization": "Bearer PLANTED6"})
expect("without TLS", plain.getresponse().status, 403)
PYTHON
# Without the daemon nginx logs an error, which must not hold the query either.
stop_daemon daemon
python3 - "$tls" <<'PYTHON'
import http.client, ssl, sys
connection = http.client.HTTPSConnection("127.0.0.1", int(sys.argv[1]), context=ssl._create_unverified_context(), timeout=30)
connection.request("GET", "/v1/reports/channels?access_token=PLANTED7")
print("  without the daemon:", connection.getresponse().status)
PYTHON
[ -s "$folder/nginx/tributary.access.log" ] || die "the access log is empty"
if grep -rl 'PLANTED\|trib_[wr]_' "$folder/nginx" --include='*.log'; then die "a query or a key is in a log"; fi
say "nginx: TLS, limits, internal paths and logs are right"
