import Foundation
import JSONReading
import Postgres
import PostgresTesting
import Redirects
import Testing
import Time

/// A daemon with an app, for all cases: each has people and links of its own.
struct ReportedCaseTrial: Sendable {
    let database: TestDatabase
    let daemon: RunningDaemon
    let writeKey: String
    let readKey: String

    private static let host = "go.example.com"
    private static let desktop = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36"

    static func with(_ body: @Sendable (ReportedCaseTrial) async throws -> Void) async throws {
        try await TestDatabases.withSchema { database in
            func run(_ command: String) async throws -> String {
                let outcome = try await Programs.shell(command, database: database.address)
                try #require(outcome.status == 0, "\(command): \(outcome.errors)")
                return outcome.output
            }
            let made = try await run("tributary app create --id shop --name Shop --link-host \(host) --format json")
            let keys = try JSONDocument(reading: made.utf8).root
            let (write, read) = (try #require(keys["write_key"]?.string), try #require(keys["read_key"]?.string))
            _ = try await run("tributary app add-key shop --scope app --origin https://shop.example")
            _ = try await run("tributary app property add shop placement --of touch")
            try await RunningDaemon.with(database: database.address, environment: Programs.longRetention) { daemon in
                let trial = ReportedCaseTrial(database: database, daemon: daemon, writeKey: write, readKey: read)
                try await trial.makeLink("sale")
                try await trial.store(
                    #"{"type":"inbound_link","user_id":"9912140633506421","channel":"search"}"#
                )
                try await body(trial)
            }
        }
    }

    /// What is not as expected. A kind that is not known is a failure.
    func failures(of item: ReportedCase) async throws -> [String] {
        switch item.kind {
        case "event": try await event(item)
        case "form": try await form(item)
        case "link_path": try await linkPath(item)
        case "code": code(item)
        case "command": try await command(item)
        case "http": try await http(item)
        case "report_query": try await reportQuery(item)
        case "link_import": try await linkImport(item)
        case "credit": try await credit(item)
        case "rows": try await rows(item)
        case "activity": try await activity(item)
        case "page_language": try await pageLanguage(item)
        case "mcp": try await assistant(item)
        default: ["nothing runs the kind '\(item.kind)'"]
        }
    }

    /// - Parameter expected: nil: anything.
    func difference(_ name: String, _ actual: String?, _ expected: JSONNode?) -> [String] {
        guard let node = expected else { return [] }
        let expected = node.kind == .null ? nil : node.string ?? node.number ?? "\(node.bool ?? false)"
        return actual == expected ? [] : ["\(name) is \(actual ?? "nothing"), not \(expected ?? "nothing")"]
    }

    func post(_ body: String, to path: String = "/v1/events") async throws -> RunningDaemon.Answer {
        try await daemon.post(path, key: writeKey, body)
    }

    func store(_ body: String) async throws {
        let answer = try await post(body, to: "/v1/inbound-links")
        try #require(answer.status == 200, "\(answer.body)")
    }

    private func makeLink(_ slug: String) async throws {
        _ = try await post(#"{"slug":"\#(slug)","target_url":"https://shop.example/\#(slug)"}"#, to: "/v1/links")
    }

    /// The rows of a report, by their first column.
    func report(_ query: String) async throws -> [[String: String]] {
        let answer = try await daemon.send("GET", "/v1/reports/\(query)&format=csv", key: readKey)
        try #require(answer.status == 200, "\(answer.body)")
        let lines = answer.body.split(whereSeparator: \.isNewline).map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        return lines.dropFirst().map { Dictionary(zip(lines[0], $0)) { first, _ in first } }
    }

    // MARK: - Events

    private func event(_ item: ReportedCase) async throws -> [String] {
        let answer = try await post(item.input)
        let root = try JSONDocument(reading: answer.body.utf8).root
        var failures = difference("status", "\(answer.status)", item.expected?["status"])
        failures += difference(
            "code",
            root["rejected"]?.elements.first { _ in true }?["code"]?.string,
            item.expected?["code"]
        )
        for (name, value) in item["also"]?.members.map({ ($0.key, $0.value) }) ?? [] {
            failures += difference(name, try await newest(name), value)
        }
        return failures
    }

    /// A column of the event that was stored last.
    private func newest(_ column: String) async throws -> String? {
        try await database.pool.withConnection {
            try $0.query(
                "select to_jsonb(event) ->> $1 from event order by transaction_number desc limit 1",
                [.text(column)]
            )
            .first?.optionalText(0)
        }
    }

    private func form(_ item: ReportedCase) async throws -> [String] {
        let answer = try await daemon.send(
            "POST",
            "/v1/inbound-links",
            key: writeKey,
            type: "application/x-www-form-urlencoded",
            body: Array((item["input"]?.string ?? "").utf8)
        )
        if answer.status == 422, answer.body.contains("%2B") { return [] }
        let time = try await database.pool.withConnection {
            try $0.query("select occurred_at from event order by transaction_number desc limit 1")[0].timestamp(0)
        }
        let expected = item.expected?["occurred_at"]?.string.flatMap { Timestamp(rfc3339: $0) }
        return difference("status", "\(answer.status)", item.expected?["status"])
            + (expected?.microseconds == time ? [] : ["occurred_at is \(time)"])
    }

    // MARK: - Links

    private func linkPath(_ item: ReportedCase) async throws -> [String] {
        try await makeLink(item["input"]?["slug"]?.string ?? "")
        let path = item["input"]?["path"]?.string?.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        let answer = try await daemon.send(
            "GET",
            path ?? "",
            headers: [("host", Self.host), ("user-agent", Self.desktop)],
            followsRedirects: false
        )
        return difference("status", "\(answer.status)", item.expected?["status"])
    }

    private func code(_ item: ReportedCase) -> [String] {
        let shown = item["input"]?["shown"]?.string.flatMap { CarryCode(typed: $0) }
        let isFound = shown != nil && shown == item["input"]?["typed"]?.string.flatMap { CarryCode(typed: $0) }
        return difference("status", isFound ? "200" : "404", item.expected?["status"])
    }

    private func linkImport(_ item: ReportedCase) async throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(item.id)-\(UUID()).csv")
        try (item["input"]?.string ?? "").write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let outcome = try await Programs.tributary(["link", "import", file.path], database: database.address)
        if item.expected?["wrong"] != nil { return outcome.status == 65 ? [] : ["a wrong line is taken"] }
        var failures: [String] = []
        for slug in item.expected?["slugs"]?.elements.compactMap(\.string) ?? [] {
            let answer = try await daemon.send("GET", "/v1/links/\(slug)", key: readKey)
            if answer.status != 200 { failures.append("\(slug) is not there: \(outcome.errors)") }
        }
        return failures
    }

    private func pageLanguage(_ item: ReportedCase) async throws -> [String] {
        let words = item["input"]?["words"]?.elements.compactMap(\.string) ?? []
        let settings = words.map { #""\#($0)":{"get":"x"}"# }.joined(separator: ",")
        let outcome = try await Programs.tributary([
            "link", "try", "--page", "--settings", #"{"ios_carry":"both","page_words":{\#(settings)}}"#,
            "--user-agent",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) Version/26.4 Mobile/15E148 Safari/604.1",
            "--header", "Accept-Language: \(item["input"]?["Accept-Language"]?.string ?? "")",
        ])
        return difference(
            "lang",
            (try? /<html lang="([^"]*)"/.firstMatch(in: outcome.output)?.1).map(String.init),
            item.expected?["lang"]
        )
    }
}
