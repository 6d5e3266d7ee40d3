import Foundation

/// Sends secrets in every form of body to every endpoint, and keeps all that is answered.
struct SecretsTraffic {
    static let jsonType = "application/json"
    static let linesType = "application/x-ndjson"
    static let formType = "application/x-www-form-urlencoded"

    let daemon: RunningDaemon
    let keys: (write: String, read: String)
    /// Whether the database is there.
    let isPresent: Bool
    var planter: SecretsPlanter
    private(set) var answers = ""
    private(set) var statuses: [Int: Int] = [:]

    init(daemon: RunningDaemon, keys: (write: String, read: String), isPresent: Bool, planter: SecretsPlanter) {
        self.daemon = daemon
        self.keys = keys
        self.isPresent = isPresent
        self.planter = planter
    }

    mutating func sendEverything() async throws {
        try await sendBatches()
        try await sendForms()
        try await sendBrokenBodies()
        try await sendSecretsBesideTheBody()
    }

    private mutating func send(
        _ method: String,
        _ path: String,
        key: String? = nil,
        type: String? = nil,
        headers: [(String, String)] = [],
        body: some Sequence<UInt8> = []
    ) async throws {
        let answer = try await daemon.send(
            method,
            path,
            key: key ?? keys.write,
            type: type,
            headers: headers,
            body: Array(body)
        )
        statuses[answer.status, default: 0] += 1
        answers += "\(answer.status) \(answer.headers)\n\(answer.body)\n"
    }

    /// JSON in its three forms and NDJSON, plain and compressed.
    private mutating func sendBatches() async throws {
        let events = planter.events()
        for (number, start) in stride(from: 0, to: events.count, by: 100).enumerated() {
            let part = events[start..<min(start + 100, events.count)]
            let list = "[\(part.joined(separator: ","))]"
            let (type, text) =
                switch number % 3 {
                case 0: (Self.jsonType, #"{"events":\#(list)}"#)
                case 1: (Self.jsonType, list)
                default: (Self.linesType, part.joined(separator: "\n"))
                }
            let path = ["/v1/events", "/v1/events", "/v1/inbound-links", "/v1/feed-posts"][number % 4]
            if number % 2 == 0 {
                try await send("POST", path, type: type, body: text.utf8)
            } else {
                let body = try await Self.gzip(text)
                try await send("POST", path, type: type, headers: [("content-encoding", "gzip")], body: body)
            }
        }
    }

    private mutating func sendForms() async throws {
        for core in planter.share() {
            for (path, field) in [("/v1/inbound-links", "url"), ("/v1/feed-posts", "callback_url")] {
                let text = SecretsSpelling.encoded(planter.text(core, in: "form \(field)"))
                try await send("POST", path, type: Self.formType, body: "user_id=u&\(field)=\(text)".utf8)
            }
            // Not encoded, as `curl -d url=…` sends it: the rest of the link becomes other fields.
            // Of such a link, a form cannot tell an encoded `&`, or a name that stands beside its value, from its own
            // (docs/links.md, *Secrets*).
            guard !core.name.hasPrefix("a name beside") else { continue }
            let text = planter.text(core, in: "form, not encoded").replacing("%26", with: "%2526")
            try await send("POST", "/v1/inbound-links", type: Self.formType, body: "user_id=u&url=\(text)".utf8)
        }
    }

    private mutating func sendBrokenBodies() async throws {
        for (number, core) in planter.share().enumerated() {
            let type = [Self.jsonType, Self.linesType, Self.formType, "text/plain"][number % 4]
            let text = { (planter: inout SecretsPlanter, place: String) -> String in
                planter.text(core, in: "broken, \(place)")
            }
            let cut = #"{"type":"inbound_link","user_id":"u","url":"# + SecretsSpelling.quoted(text(&planter, "cut"))
            try await send("POST", "/v1/events", type: Self.jsonType, body: cut.utf8)
            try await send("POST", "/v1/events", type: Self.linesType, body: "\(cut)\n\(cut.dropLast())\n{}".utf8)
            try await send("POST", "/v1/inbound-links", type: type, body: text(&planter, "the text alone").utf8)
            let quoted = SecretsSpelling.quoted(text(&planter, "a JSON text"))
            try await send("POST", "/v1/feed-posts", type: Self.jsonType, body: quoted.utf8)
            let sentAt = #"{"events":[{"type":"x"}],"sent_at":\#(SecretsSpelling.quoted(text(&planter, "sent_at")))}"#
            try await send("POST", "/v1/events", type: Self.jsonType, body: sentAt.utf8)
            // Not gzip.
            try await send(
                "POST",
                "/v1/events",
                type: Self.jsonType,
                headers: [("content-encoding", "gzip")],
                body: text(&planter, "not compressed").utf8
            )
            // Bytes that are not text.
            try await send(
                "POST",
                "/v1/events",
                type: Self.linesType,
                body: Array(cut.utf8) + [0xFF, 0, 0xC0, 0x22, 0x7D]
            )
        }
    }

    /// Secrets in targets, header fields and the parameters of reports, which may be logged or repeated in answers.
    private mutating func sendSecretsBesideTheBody() async throws {
        let event = #"{"type":"install","user_id":"u"}"#.utf8
        for (number, core) in planter.share().enumerated() {
            let text = { (planter: inout SecretsPlanter, place: String) -> String in
                Self.forHead(planter.text(core, in: place))
            }
            try await send("POST", "/v1/events?\(text(&planter, "query"))", type: Self.jsonType, body: event)
            if isPresent || number % 4 == 0 { try await askForReports(core) }
            try await send("GET", "/\(SecretsSpelling.encoded(planter.text(core, in: "path")))")
            try await send(
                "POST",
                "/v1/events",
                type: text(&planter, "Content-Type"),
                headers: [
                    ("referer", text(&planter, "Referer")), ("user-agent", text(&planter, "User-Agent")),
                    ("x-request-id", text(&planter, "X-Request-Id")), ("cookie", text(&planter, "Cookie")),
                ],
                body: event
            )
            try await send(
                "POST",
                "/v1/events",
                type: Self.jsonType,
                headers: [("content-encoding", text(&planter, "Content-Encoding"))],
                body: event
            )
        }
        for secret in [planter.secret("as a key"), planter.secret("as a key"), keys.write + "x", keys.read] {
            try await send("POST", "/v1/events", key: secret, type: Self.jsonType, body: event)
        }
        // Keys in wrong places.
        try await send("GET", "/v1/reports/channels?key=\(keys.read)", key: keys.read)
        try await send("GET", "/v1/reports/\(keys.read)", key: keys.read)
        try await send("GET", "/\(keys.write)")
        try await send("POST", "/v1/events?key=\(keys.write)", type: Self.jsonType, body: event)
    }

    /// Without the database, each answer takes a tenth of a second.
    private mutating func askForReports(_ core: SecretsSpelling.Core) async throws {
        try await send(
            "GET",
            "/v1/reports/channels?\(Self.forHead(planter.text(core, in: "report's query")))",
            key: keys.read
        )
        try await send(
            "GET",
            "/v1/reports/funnel?steps=\(SecretsSpelling.encoded(planter.text(core, in: "steps")))",
            key: keys.read
        )
        try await send(
            "GET",
            "/v1/reports/channels?tz=\(SecretsSpelling.encoded(planter.text(core, in: "tz")))&from=x",
            key: keys.read
        )
        try await send(
            "GET",
            "/v1/reports/\(SecretsSpelling.encoded(planter.text(core, in: "report")))",
            key: keys.read
        )
    }

    /// Bytes that a target or a field cannot contain are encoded. The secrets stay as they are.
    private static func forHead(_ text: String) -> String {
        text.utf8.map { byte in
            (0x21..<0x7F).contains(byte) && !#"#"<>\^`{|}"#.utf8.contains(byte)
                ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    private static func gzip(_ text: String) async throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return Array(try SecretsSearch.run("gzip", ["-c", file.path]).output)
    }
}
