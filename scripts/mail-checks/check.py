"""Lets a daemon mail answers through msmtp to an SMTP server that takes, refuses, defers, is slow or is gone, and the
doctor send trials to that server without a program.

Usage: check.py PROGRAMS FOLDER. scripts/check-mail starts it with a private home in FOLDER.
"""

import csv
import datetime
import email
import email.policy
import io
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

from aiosmtpd.controller import Controller

programs, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
failures = 0
started = time.monotonic()


def check(condition, fact):
    global failures
    if not condition:
        failures += 1
    print(f"{'ok' if condition else 'FAILED'}: {fact}", flush=True)


def tributary(*arguments, text=None):
    done = subprocess.run([programs / "tributary", *arguments], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"FAILED: tributary {' '.join(arguments)}: {done.stderr}")
    return done.stdout


class Mailbox:
    """Answers by the name of the recipient."""

    def __init__(self):
        self.mails, self.tries, self.lock = [], {}, threading.Lock()

    async def handle_RCPT(self, server, session, envelope, address, options):
        name = address.split("@")[0]
        with self.lock:
            self.tries[name] = self.tries.get(name, 0) + 1
        if name == "refused":
            return "550 5.1.1 no such mailbox"
        if name == "grey" and self.tries[name] == 1:
            return "451 4.7.1 greylisted, try again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        import asyncio

        if envelope.rcpt_tos[0].startswith("slow"):
            await asyncio.sleep(120)
        with self.lock:
            self.mails.append((envelope.rcpt_tos[0].split("@")[0], bytes(envelope.content)))
        return "250 OK"

    def of(self, name):
        with self.lock:
            return [email.message_from_bytes(content, policy=email.policy.default) for to, content in self.mails if to == name]


def serve(mailbox, port=0):
    controller = Controller(mailbox, hostname="127.0.0.1", port=port or 18025 + os.getpid() % 1000, decode_data=False)
    controller.start()
    return controller


def runs():
    found = json.loads(tributary("question", "runs", "--format", "json", "--limit", "100"))
    return {run["to"].removeprefix("mail:").split("@")[0]: run for run in found}


def wait(condition, seconds, fact):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return check(True, f"{fact} ({time.monotonic() - started:.0f} s)")
        time.sleep(1)
    check(False, f"{fact}; {json.dumps(runs(), indent=1)}")


mailbox = Mailbox()
controller = serve(mailbox)
configuration = folder / "msmtprc"
configuration.write_text(f"account default\nhost 127.0.0.1\nport {controller.port}\ntls off\nauth off\ntimeout 20\n")
configuration.chmod(0o600)
os.environ["TRIBUTARY_MAIL_COMMAND"] = f"msmtp -C {configuration} --read-recipients --read-envelope-from"
os.environ["TRIBUTARY_MAIL_FROM"] = "reports@example.com"
os.environ["TRIBUTARY_DASHBOARD_URL"] = "https://stats.example.com"
os.environ["TRIBUTARY_LOG_LEVEL"] = "info"

tributary("app", "create", "--id", "shop", "--name", "Käse & Söhne")
yesterday = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1)
events = [
    {
        "type": "inbound_link",
        "user_id": f"p{number}",
        "channel": "story_links",
        "ref": f"réf-{number:03}",
        "occurred_at": yesterday.replace(hour=12).isoformat(),
    }
    for number in range(400)
]
tributary("import", "-", text="\n".join(map(json.dumps, events)))
tributary("note", "add", "Version 2 für alle", "--day", "yesterday")
tributary("question", "save", "täglich".replace("ä", "a"), "--", "report", "refs")

daemon = subprocess.Popen(
    [programs / "tributaryd", "--port", "0"], stderr=open(folder / "daemon.log", "w"), stdout=subprocess.DEVNULL
)
try:

    def soon():
        """A time at least 20 seconds ahead, as --at takes it, and the seconds until then."""
        now = datetime.datetime.now(datetime.timezone.utc)
        at = (now + datetime.timedelta(seconds=80)).replace(second=0, microsecond=0)
        return at.strftime("%H:%M"), (at - now).total_seconds()

    at, pause = soon()
    names = ["ann", "refused", "grey", "slow"]
    tributary(
        "question", "schedule", "taglich", "--every", "day", "--at", at,
        *(word for name in names for word in ("--to", f"mail:{name}@example.org")),
    )
    wait(lambda: mailbox.of("ann"), pause + 40, "a mail comes")
    mail = mailbox.of("ann")[0]
    (folder / "mail.eml").write_bytes(mail.as_bytes())
    day = yesterday.date().isoformat()
    check(mail["Subject"] == f"taglich: {day} · Käse & Söhne", f"the subject is {mail['Subject']}")
    check(mail["From"] == "Tributary <reports@example.com>" and mail["Auto-Submitted"] == "auto-generated", "it has a sender")
    text = mail.get_body(("plain",)).get_content()
    html = mail.get_body(("html",)).get_content()
    parts = [part.get_content_type() for part in mail.walk()]
    check(
        parts == ["multipart/mixed", "multipart/alternative", "text/plain", "text/html", "text/csv"],
        f"the HTML stands beside the text: {parts}",
    )
    check(not any(part.defects for part in mail.walk()), "the parts are MIME without a defect")
    check("Käse &amp; Söhne" in html and 'bgcolor="#0d9488"' in html, "the HTML draws bars")
    check("<b>total: " in html and "touches 400 (" in html, "the HTML has the total and its change")
    check('href="https://stats.example.com/questions/question?name=taglich"' in html, "the HTML has a link")
    check(not any(word in html for word in ("<script", "<svg", "<img", "cid:")), "the HTML loads and runs nothing")
    check(text.startswith(f"taglich · Käse & Söhne\n{day} (UTC)\n"), "the text says what and when")
    check(f"Note of {day}: Version 2 für alle" in text, "the text has the note")
    check("The CSV has all of them" in text and len(text.splitlines()) < 90, "the text has the first rows")
    attached = list(mail.iter_attachments())
    check([part.get_filename() for part in attached] == [f"taglich-{day}-{day}.csv"], "the CSV is attached")
    rows = list(csv.DictReader(io.StringIO(attached[0].get_content())))
    refs = {row["ref"] for row in rows}
    check(all(f"réf-{number:03}" in refs for number in range(400)), f"the CSV has {len(rows)} rows, 400 refs among them")
    wait(lambda: mailbox.of("grey"), 150, "a mail that was deferred comes with the next attempt")
    check(runs()["grey"]["attempts"] == 2, "by the second attempt")
    refused = runs()["refused"]
    check(refused["state"] == "waiting" and "no such mailbox" in refused["remark"], f"a refusal is listed: {refused['remark']}")
    wait(lambda: "remark" in runs()["slow"] and runs()["slow"]["remark"], 60, "a slow server is given up")
    check(len(mailbox.of("ann")) == 1, "nobody got two")

    controller.stop()
    at, pause = soon()
    tributary("question", "schedule", "taglich", "--every", "day", "--at", at, "--to", "mail:late@example.org")
    wait(lambda: runs().get("late", {}).get("remark"), pause + 40, "a server that is gone is listed")
    print(f"    {runs()['late']['remark']}")
    daemon.kill()
    daemon.wait()
    controller = serve(mailbox, controller.port)
    daemon = subprocess.Popen(
        [programs / "tributaryd", "--port", "0"], stderr=open(folder / "daemon2.log", "w"), stdout=subprocess.DEVNULL
    )
    wait(lambda: mailbox.of("late"), 120, "it comes when the server is back, though the daemon was killed")
    check(len(mailbox.of("late")) == 1, "once")

    os.environ["TRIBUTARY_MAIL_SMTP"] = f"127.0.0.1:{controller.port}"
    said = tributary("doctor", "--mail", "direct@example.org")
    check("mail: a trial to direct@example.org was taken" in said, "the server takes a trial without a program")
    direct = mailbox.of("direct")
    check(len(direct) == 1 and direct[0]["Subject"] == "Tributary: a trial", "and has it")
    refusal = tributary("doctor", "--mail", "refused@example.org")
    check("answered 550 to RCPT: 5.1.1 no such mailbox" in refusal, "a refusal is told with the server's words")
finally:
    daemon.terminate()
    daemon.wait()
    controller.stop()
print(tributary("question", "runs"))
sys.exit(1 if failures else 0)
