extension Setting {
    /// All settings, in the order of docs/configuration.md.
    package static let all = [
        Setting(
            "database.url",
            .text(),
            flag: "--database",
            otherVariable: "DATABASE_URL",
            usual: "a private cluster",
            "`postgresql://user:password@host:5432/name`, or libpq's keywords. A password is safer in the environment than in a flag. `DATABASE_URL` counts only if no other setting, the file included, names a database"
        ),
        Setting(
            "database.urlFile",
            .text(),
            "a file that holds such a URL: a systemd credential, or a secret of Docker or Kubernetes. It overrides `database.url`"
        ),
        Setting(
            "databases",
            .entries,
            "[further databases](scaling.md#several-databases), each with apps of its own: a level with a line `name: url` for each. In the environment `name=url`, with `;` between several. The one above is called `main` then"
        ),
        Setting(
            "home",
            .text(".tributary"),
            "the folder of the private cluster"
        ),
        Setting(
            "host",
            .text("127.0.0.1"),
            flag: "--host",
            "the address to listen on"
        ),
        Setting(
            "port",
            .number(8_080, in: 0...65_535),
            flag: "--port",
            "the port. `0` picks a free port, and the log tells which"
        ),
        Setting(
            "log.level",
            .word("notice"),
            "`trace`, `debug`, `info`, `notice`, `warning`, `error`, `critical`"
        ),
        Setting(
            "log.format",
            .word("text"),
            "`text`: the time (UTC), the level, the message, then the values. `json`: the same as one JSON object a line"
        ),
        Setting(
            "retention.days",
            .number(400, in: 1...36_500),
            "older events are rejected (`too_old`), also by `tributary import`, and stored ones are **removed**"
        ),
        Setting(
            "retention.automatic",
            .toggle(true),
            "whether the daemon removes old events and old rejected events. `off` leaves that to `tributary prune`"
        ),
        Setting(
            "retention.interval",
            .number(3_600, in: 1...86_400),
            "seconds between two checks of the daemon for old events"
        ),
        Setting(
            "rejected.days",
            .number(30, in: 0...36_500),
            "rejected events are removed after this many days. `0`: never"
        ),
        Setting(
            "store.deadline",
            .number(10, in: 1...600),
            "seconds that a write request may take. If half of them pass without a commit, its events go to the spool (202)"
        ),
        Setting(
            "connections",
            .number(4_096, in: 1...1_000_000),
            "how many connections may be open. At the last one, the oldest without a key closes for the next; keys for apps do not count here"
        ),
        Setting(
            "rate.limit",
            .number(0, in: 0...1_000_000),
            "requests per second for each key; above it the answer is 429. `0`: no limit"
        ),
        Setting(
            "click.wait",
            .number(50, in: 1...10_000),
            flag: "--click-wait",
            "milliseconds that a visitor of a [short link](redirects.md) waits for PostgreSQL to store the click. Then the click goes to the spool, and the visitor waits for it as long again, at least 200 ms. The page that shows a [code](redirects.md#carried-by-the-visitor) waits 500 ms, if that is longer"
        ),
        Setting(
            "link.rate.limit",
            .number(50, in: 0...1_000_000),
            "requests per second for short links from one address, or from one IPv6 network (/64); above it the answer is 429. `0`: no limit"
        ),
        Setting(
            "app.key.events",
            .number(20, in: 0...1_000_000),
            "events per second with [keys for apps](sending-events.md#from-the-app-itself) of one app from one address, or from one IPv6 network (/64), after 100 at once (or as many as in a second, if that is more); above it the answer is 429. `0`: no limit"
        ),
        Setting(
            "app.rate.limit",
            .number(50, in: 0...1_000_000),
            "requests per second with [keys for apps](sending-events.md#from-the-app-itself) of one app from one address, or from one IPv6 network (/64); above it the answer is 429. `0`: no limit"
        ),
        Setting(
            "trusted.proxies",
            .text(),
            usual: "`127.0.0.0/8, ::1`",
            "the addresses or networks of proxies, with commas. From them, `X-Forwarded-Host` names the host of a short link, and `X-Forwarded-For` the visitor or the app"
        ),
        Setting(
            "country.header",
            .text(),
            "the header in which such a proxy says a visitor's country (ISO 3166-1), such as `CF-IPCountry`. Clicks on short links keep it as `country`"
        ),
        Setting(
            "sign.in.header",
            .text(),
            "the header in which such a proxy says who is [signed in](access.md#signing-in-through-a-proxy) at it, such as `X-Auth-Request-Email`: the e-mail address of a user who was invited"
        ),
        Setting(
            "report.connections",
            .number(in: ReportSettings.range),
            usual: "half the processors, from 2 to 16",
            "how many connections to PostgreSQL may share a report, `1` to `16`: [Connections of a report](#connections-of-a-report)"
        ),
        Setting(
            "report.database.url",
            .text(),
            usual: "the database",
            "a [standby](operations.md#a-standby-for-questions) of the database, from which the daemon reads for reports over HTTP and for the dashboard"
        ),
        Setting(
            "report.database.urlFile",
            .text(),
            "a file that holds such a URL. It overrides `report.database.url`"
        ),
        Setting(
            "report.databases",
            .entries,
            usual: "the databases",
            "the same for [further databases](scaling.md#several-databases): a level with a line `name: url` for each that has a standby. In the environment `name=url`, with `;` between several"
        ),
        Setting(
            "figures.interval",
            .number(60, in: 0...86_400),
            "seconds between two checks for new events that the [views for BI tools](bi.md) do not count yet. `0` leaves them to `tributary refresh`"
        ),
        Setting(
            "spool.folder",
            .text(),
            usual: "`spool` in `home`",
            "where events wait while the database is unavailable"
        ),
        Setting(
            "spool.bytes",
            .number(1 << 30, in: 0...(1 << 50)),
            "how many bytes of events may wait there. When it is full, the answer is 503"
        ),
        Setting(
            "mail.from",
            .text(),
            "the address that mails with [answers](schedules.md) come from. Without it, none are sent"
        ),
        Setting(
            "mail.command",
            .text("sendmail -t -i"),
            "the program that takes a mail on its standard input, and its arguments; no shell reads them"
        ),
        Setting(
            "mail.smtp",
            .text(),
            "the [mail server](schedules.md#mail) that takes mails, `host:port`, in place of a program. The port is 587 without one"
        ),
        Setting(
            "mail.tls",
            .word(),
            usual: "`starttls`; `implicit` on port 465; `off` on this machine",
            "how `mail.smtp` speaks TLS: `starttls`, `implicit` (from the first byte) or `off`"
        ),
        Setting(
            "mail.user",
            .text(),
            "the login at `mail.smtp`, with `mail.password`"
        ),
        Setting(
            "mail.password",
            .text(),
            "its password: a secret, safer in the environment than in the file"
        ),
        Setting(
            "dashboard.url",
            .text(),
            "where people reach the dashboard, such as `https://stats.example.com`, for the link in [answers](schedules.md)"
        ),
        Setting(
            "question.folder",
            .text(),
            "the folder, an absolute path, below which [answers](schedules.md) are written as files. Without it, none are"
        ),
        Setting(
            "webhook.allow.private",
            .toggle(false),
            "`on`: what Tributary sends outward may also go to addresses of your own network, and by plain `http`. `off`: only by `https`, and only to public addresses"
        ),
    ]
}
