import EmbeddedPostgres
import Foundation
import JSONReading
import Postgres
import PostgresTesting
import Testing

@Suite("Metrics of the running daemon")
struct MetricsTests {
    /// Prometheus' own checker, if it is installed.
    private static let promtool = ["/usr/bin/promtool", "/usr/local/bin/promtool"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// The value of a series, by its name and labels as exposed.
    private func value(_ series: String, in text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix(series + " ") }.map { String($0.dropFirst(series.count + 1)) }
    }

    private func withDaemon(
        _ body: (RunningDaemon, _ key: String, EmbeddedPostgres) async throws -> Void
    ) async throws {
        try await ClusterTemplate.with(named: "metrics") { cluster, home in
            let database = try await cluster.start()
            let outcome = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: database
            )
            let key = try #require(try JSONDocument(reading: outcome.output.utf8).root["write_key"]?.string)
            try await RunningDaemon.with(database: database, environment: ["TRIBUTARY_HOME": home]) { daemon in
                try await body(daemon, key, cluster)
            }
        }
    }

    @Test func tellOfCommitsThePoolsAndTheSpool() async throws {
        try await withDaemon { daemon, key, cluster in
            let id = "00000000-0000-4000-8000-000000000001"
            let events =
                #"[{"type":"install","user_id":"u","event_id":"\#(id)"},{"type":"install","user_id":"v"},{"type":"install"}]"#
            for _ in 0..<2 { #expect(try await daemon.post("/v1/events", key: key, events).status == 200) }
            let text = try await daemon.send("GET", "/metrics").body
            #expect(value("tributary_store_events_total", in: text) == "3")
            #expect(value("tributary_store_duplicates_total", in: text) == "1")
            #expect(value("tributary_store_dead_letters_total", in: text) == "2")
            #expect(value("tributary_store_commit_duration_seconds_count", in: text) == "2")
            #expect(value("tributary_store_commit_events_sum", in: text) == "4")
            #expect(value("tributary_database_present", in: text) == "1")
            #expect(value("tributary_spool_events", in: text) == "0")
            #expect(value("tributary_spool_limit_bytes", in: text) == "1073741824")
            #expect(value(#"tributary_pool_size{pool="writer"}"#, in: text) == "2")
            #expect(value(#"tributary_pool_connections{pool="writer",state="idle"}"#, in: text) == "1")
            #expect(value(#"tributary_pool_waiting{pool="keys"}"#, in: text) == "0")

            try await cluster.stop()
            #expect(try await daemon.post("/v1/events", key: key, events).status == 202)
            let away = try await daemon.send("GET", "/metrics").body
            #expect(value("tributary_database_present", in: away) == "0")
            #expect(value("tributary_spool_events", in: away) == "2")
            #expect(value("tributary_spool_requests", in: away) == "1")
            #expect(value("tributary_spool_unreadable_requests", in: away) == "0")
            #expect(value("tributary_spool_bytes", in: away) != "0")
        }
    }

    @Test func areDescribed() async throws {
        try await withDaemon { daemon, key, _ in
            _ = try await daemon.post("/v1/events", key: key, #"{"type":"install","user_id":"u"}"#)
            let lines = try await daemon.send("GET", "/metrics").body.split(separator: "\n")
            for line in lines where line.hasPrefix("# TYPE ") {
                let name = line.split(separator: " ")[2]
                let help = try #require(lines.first { $0.hasPrefix("# HELP \(name) ") })
                // Without a description, the help would be the metric's name.
                #expect(help != "# HELP \(name) \(name)")
            }
        }
    }

    @Test(.enabled(if: promtool != nil, "promtool is not installed"))
    func satisfyPromtool() async throws {
        let promtool = try #require(Self.promtool)
        try await withDaemon { daemon, key, _ in
            _ = try await daemon.post("/v1/events", key: key, #"{"type":"install","user_id":"u"}"#)
            let text = try await daemon.send("GET", "/metrics").body
            let process = Process()
            process.executableURL = URL(fileURLWithPath: promtool)
            process.arguments = ["check", "metrics"]
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            process.standardError = output
            try process.run()
            try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
            try input.fileHandleForWriting.close()
            let findings = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            #expect(findings == "")
            #expect(process.terminationStatus == 0)
        }
    }
}
