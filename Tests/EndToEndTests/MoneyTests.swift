import Foundation
import JSONReading
import NIOHTTP1
import PostgresTesting
import Testing

/// Rates and costs, by the command line and over HTTP, and what reports make of them (docs/money.md).
@Suite("Money, end to end")
struct MoneyTests {
    @Test func ratesAndCostsReachReports() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "money-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func file(_ name: String, _ text: String) throws -> String {
            let path = "\(folder)/\(name)"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }
        let day = String(Date.now.addingTimeInterval(-86_400).ISO8601Format().prefix(10))
        let today = String(Date.now.ISO8601Format().prefix(10))
        let rates = try file("rates.csv", "date,currency,rate\n\(day),EUR,1.5\n")
        let bad = try file("bad.csv", "date,currency,rate\n\(day),EUR,1.5\n\(day),CHF,free\n")
        let spend = try file("spend.csv", "ref,from,amount,currency\nmail,\(day),10,EUR\n")
        try await TestDatabases.withSchema { database in
            @Sendable func run(_ arguments: [String]) async throws -> Programs.Outcome {
                try await Programs.tributary(arguments, database: database.address)
            }
            let created = try await run(["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"])
            let keys = try JSONDocument(reading: created.output.utf8).root
            let write = try #require(keys["write_key"]?.string)
            let read = try #require(keys["read_key"]?.string)
            let added = try await run(["app", "add-key", "shop", "--scope", "manage", "--format", "json"])
            let manage = try #require(try JSONDocument(reading: added.output.utf8).root["manage_key"]?.string)
            try await RunningDaemon.with(database: database.address) { daemon in
                func channels() async throws -> [String] {
                    let path = "/v1/reports/channels?format=csv&from=\(day)&to=\(today)"
                    let answer = try await daemon.send("GET", path, key: read, body: [])
                    #expect(answer.status == 200, "\(answer.body)")
                    return answer.body.split(whereSeparator: \.isNewline).map(String.init)
                }
                let events = """
                    [{"type":"inbound_link","user_id":"ann","occurred_at":"\(day)T10:00:00Z","channel":"search",
                    "ref":["mail"]},{"type":"conversion","user_id":"ann","occurred_at":"\(day)T11:00:00Z","name":"buy",
                    "value":"20","currency":"EUR"}]
                    """
                #expect(try await daemon.post("/v1/events", key: write, events).status == 200)
                #expect(try await channels().last == "total,1,1,0,0,1,0")

                let refused = try await run(["app", "rates", "import", "shop", bad])
                #expect(refused.status == 65)
                #expect(refused.errors.contains("bad.csv, line 3: 'free' is not a rate"))
                #expect(try await run(["app", "rates", "list", "shop"]).output == "")
                let imported = try await run(["app", "rates", "import", "shop", rates, "--format", "json"])
                #expect(imported.status == 0, "\(imported.errors)")
                #expect(try JSONDocument(reading: imported.output.utf8).root["changed"]?.number == "1")
                #expect(try await channels().last == "total,1,1,0,0,1,30")
                let listed = try await run(["app", "rates", "list", "shop", "--currency", "EUR"])
                #expect(listed.output.contains(day) && listed.output.contains("1.5"))
                #expect(try await run(["app", "rates", "list", "shop"]).output.hasPrefix("EUR  1 rate  "))

                let cost = #"{"channel":"search","from":"\#(day)","amount":"12"}"#
                let stored = try await daemon.post("/v1/costs", key: write, cost)
                #expect(stored.status == 200, "\(stored.body)")
                let number = try #require(try JSONDocument(reading: stored.body.utf8).root["number"]?.number)
                #expect(try await daemon.post("/v1/costs", key: write, cost).body == stored.body)
                #expect(try await channels()[0].hasSuffix(",value,cost,cost_per_install,cost_per_conversion,return"))
                #expect(try await channels().last == "total,1,1,0,0,1,30,12,,12.000000,2.500000")

                #expect(try await run(["cost", "import", "shop", spend]).status == 0)
                let same = try await run(["cost", "add", "shop", "--ref", "mail", "--from", day, "--amount", "1"])
                #expect(same.status == 64 && same.errors.contains("remove it first: tributary cost remove shop"))
                let report = try await run(
                    ["report", "refs", "--app", "shop", "--from", day, "--to", today, "--columns", "ref,cost,return"]
                )
                #expect(report.output.contains("mail,15,2.000000"), "\(report.output)")
                #expect(try await run(["cost", "list", "shop"]).output.contains("mail"))
                #expect(try await run(["cost", "remove", "shop", number]).status == 0)
                #expect(try await run(["cost", "remove", "shop", number]).status == 64)
                let gone = try await daemon.send("DELETE", "/v1/costs/\(number)", key: write, body: [])
                #expect(gone.status == 404)
                #expect(try await channels().last == "total,1,1,0,0,1,30")
                #expect(try await run(["app", "rates", "clear", "shop"]).output.contains("removed: 1"))
                #expect(try await channels().last == "total,1,1,0,0,1,0")

                // The same over HTTP.
                func asked(_ method: String, _ query: String = "", key: String, _ body: String = "") async throws
                    -> String
                {
                    let answer = try await daemon.send(
                        method,
                        "/v1/rates\(query)",
                        key: key,
                        type: "text/csv",
                        body: Array(body.utf8)
                    )
                    return "\(answer.status) \(answer.body)"
                }
                let file = "date,currency,rate\n\(day),EUR,1.5\n\(today),EUR,1.25\n"
                #expect(try await asked("PUT", key: manage, file) == #"200 {"rates":2,"changed":2}"#)
                #expect(try await channels().last == "total,1,1,0,0,1,30")
                let wrong = try await asked("PUT", key: manage, file + "\(day),CHF,free\n")
                #expect(wrong.hasPrefix("400 ") && wrong.contains("the body, line 4: 'free' is not a rate"))
                let days = #""first_day":"\#(day)","last_day":"\#(today)""#
                let span = #"{"currency":"EUR","rates":2,\#(days),"last_rate":"1.25"}"#
                #expect(try await asked("GET", key: read) == #"200 {"currencies":[\#(span)]}"#)
                let first = #"{"rates":[{"date":"\#(day)","currency":"EUR","rate":"1.5"}],"next":"\#(day)"}"#
                #expect(try await asked("GET", "?currency=eur&limit=1", key: read) == "200 \(first)")
                let last = #"{"rates":[{"date":"\#(today)","currency":"EUR","rate":"1.25"}],"next":null}"#
                #expect(try await asked("GET", "?currency=EUR&after=\(day)", key: read) == "200 \(last)")
                #expect(try await asked("DELETE", "?currency=EUR", key: manage) == #"200 {"removed":2}"#)
                #expect(try await asked("DELETE", key: write).hasPrefix("403 "))
                let log = try await run(["log", "--app", "shop", "--limit", "2", "--format", "json"])
                let changes = try JSONDocument(reading: log.output.utf8).root.elements
                #expect(changes.compactMap { $0["what"]?.string } == ["rate.clear", "rate.set"])
                #expect(changes.allSatisfy { $0["who"]?.string?.hasPrefix("key trib_m_") == true })
                #expect(try await channels().last == "total,1,1,0,0,1,0")

                // What is left of the costs, page by page.
                for name in ["a", "b"] {
                    let cost = #"{"ref":"\#(name)","from":"\#(today)","amount":"1"}"#
                    #expect(try await daemon.post("/v1/costs", key: write, cost).status == 200)
                }
                var names: [String] = []
                var query = "?limit=2"
                for _ in 0..<2 {
                    let answer = try await daemon.send("GET", "/v1/costs\(query)", key: read, body: [])
                    let page = try JSONDocument(reading: answer.body.utf8).root
                    names += page["costs"]?.elements.compactMap { $0["ref"]?.string } ?? []
                    query = page["next"]?.string.map { "?limit=2&after=\($0)" } ?? ""
                }
                #expect(names == ["mail", "a", "b"] && query.isEmpty)

                // A ref that no event has is taken, with a word.
                let misspelt = try await run(["cost", "add", "shop", "--ref", "mial", "--from", day, "--amount", "1"])
                #expect(misspelt.status == 0)
                #expect(misspelt.errors.contains("'mial' occurs in no event of the app; did you mean 'mail'?"))
                for (name, ends) in [("mial", ["did you mean 'mail'?"]), ("mail", [String]())] {
                    let cost = #"{"ref":"\#(name)","from":"\#(day)","amount":"1"}"#
                    let told = try await daemon.post("/v1/costs", key: manage, cost)
                    let warnings = try JSONDocument(reading: told.body.utf8).root["warnings"]
                    let texts = warnings.map { Array($0.elements).compactMap(\.string) } ?? [""]
                    #expect(texts.count == ends.count && zip(texts, ends).allSatisfy { $0.hasSuffix($1) }, "\(texts)")
                    // A write key may not read: its answer is the same for a ref that occurs.
                    let unread = try await daemon.post("/v1/costs", key: write, cost)
                    let fields = try JSONDocument(reading: unread.body.utf8).root
                    #expect(unread.status == 200 && fields["warnings"] == nil)
                }
            }
        }
    }
}
