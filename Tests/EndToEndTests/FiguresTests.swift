import Foundation
import JSONReading
import Postgres
import PostgresTesting
import Testing

@Suite("Figures for BI tools, end to end")
struct FiguresTests {
    private static let environment = ["TRIBUTARY_FIGURES_INTERVAL": "1"]

    private func withApp(
        _ body: @Sendable (TestDatabase, _ writeKey: String) async throws -> Void
    ) async throws {
        try await TestDatabases.withSchema { database in
            let outcome = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: database.address
            )
            let key = try JSONDocument(reading: outcome.output.utf8).root["write_key"]?.string
            try await body(database, try #require(key))
        }
    }

    /// Asks until it is true.
    private func waitUntil(_ what: String, _ isSo: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < end {
            if try await isSo() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("never: \(what)")
    }

    private func number(_ sql: String, _ database: TestDatabase) async throws -> Int {
        try await database.pool.withConnection { try $0.query(sql)[0].int(0) }
    }

    /// The value of a gauge without labels.
    private func gauge(_ name: String, of daemon: RunningDaemon) async throws -> Double? {
        try await daemon.send("GET", "/metrics").body.split(separator: "\n")
            .first { $0.hasPrefix(name + " ") }
            .flatMap { Double($0.dropFirst(name.count + 1)) }
    }

    /// The daemon runs nevertheless.
    @Test func areLeftAloneWithAnIntervalOfZero() async throws {
        try await withApp { database, key in
            let environment = ["TRIBUTARY_FIGURES_INTERVAL": "0"]
            try await RunningDaemon.with(database: database.address, environment: environment) { daemon in
                for user in 1...20 {
                    let install = #"{"type":"install","user_id":"u\#(user)"}"#
                    let status = try await daemon.post("/v1/events", key: key, install).status
                    #expect(status == 200)
                }
                #expect(try await number("select count(*) from figures_state", database) == 0)
            }
        }
    }

    @Test func areRefreshedByTheDaemon() async throws {
        try await withApp { database, key in
            try await RunningDaemon.with(database: database.address, environment: Self.environment) { daemon in
                let install = #"{"type":"install","user_id":"u1"}"#
                #expect(try await daemon.post("/v1/events", key: key, install).status == 200)
                let installs = "select coalesce(sum(installs), 0)::integer from bi.totals_by_day"
                try await waitUntil("the install counts") { try await number(installs, database) == 1 }
                let more = #"[{"type":"install","user_id":"u2"},{"type":"install","user_id":"u3"}]"#
                #expect(try await daemon.post("/v1/events", key: key, more).status == 200)
                try await waitUntil("the others count") { try await number(installs, database) == 3 }
                try await waitUntil("nothing is behind") {
                    try await gauge("tributary_figures_lag_events", of: daemon) == 0
                }
                #expect(try await gauge("tributary_figures_leader", of: daemon) == 1)
                #expect(try #require(await gauge("tributary_figures_lag_seconds", of: daemon)) < 60)
            }
        }
    }

    @Test func areRefreshedByOneDaemonUntilItEnds() async throws {
        try await withApp { database, _ in
            try await RunningDaemon.with(database: database.address, environment: Self.environment) { first in
                try await waitUntil("the first leads") {
                    try await gauge("tributary_figures_leader", of: first) == 1
                }
                try await RunningDaemon.with(database: database.address, environment: Self.environment) { second in
                    // Its first change scan is over when it reports how far the figures are.
                    try await waitUntil("the second has looked") {
                        try await gauge("tributary_figures_lag_seconds", of: second) ?? 0 > 0
                    }
                    #expect(try await gauge("tributary_figures_leader", of: second) == 0)
                    await first.stop()
                    try await waitUntil("the second leads") {
                        try await gauge("tributary_figures_leader", of: second) == 1
                    }
                }
            }
        }
    }

    @Test func areRefreshedByHand() async throws {
        try await withApp { database, _ in
            let file = FileManager.default.temporaryDirectory.appending(path: "figures-\(UUID().uuidString).ndjson")
            defer { try? FileManager.default.removeItem(at: file) }
            try #"{"type":"install","user_id":"u1","occurred_at":"2026-03-01T23:30:00Z"}"#
                .write(to: file, atomically: true, encoding: .utf8)
            func run(_ arguments: String...) async throws -> Programs.Outcome {
                try await Programs.tributary(
                    arguments,
                    database: database.address,
                    environment: Programs.longRetention
                )
            }
            #expect(try await run("import", "--app", "shop", file.path).status == 0)
            let first = try await run("refresh", "--app", "shop")
            #expect(first.status == 0)
            #expect(first.output.contains("periods refreshed"))
            #expect(try await run("refresh").output == "shop: nothing new\n")
            #expect(try await run("refresh", "--check").status == 0)
            #expect(try await number("select count(*) from bi.totals_by_month where installs = 1", database) == 1)

            try await database.pool.withConnection { connection in
                _ = try connection.execute("update ref_figures set installs = 7")
            }
            let check = try await run("refresh", "--check")
            #expect(check.status == 70)
            #expect(check.output.contains("shop: ref figures of the month of 2026-03-01"))
            #expect(check.errors.contains("refresh --full"))
            #expect(try await run("refresh", "--full").status == 0)
            #expect(try await run("refresh", "--check").status == 0)
            #expect(try await run("refresh", "--app", "shp").status == 64)
            #expect(try await run("refresh", "--full", "--check").status == 64)
        }
    }

    /// One app's damage keeps no other app's figures behind.
    @Test func areRefreshedBesideADamagedApp() async throws {
        try await withApp { database, _ in
            func run(_ arguments: String...) async throws -> Programs.Outcome {
                try await Programs.tributary(arguments, database: database.address)
            }
            #expect(try await run("app", "create", "--id", "atelier", "--name", "Atelier").status == 0)
            #expect(try await run("refresh").status == 0)
            try await database.pool.withConnection { connection in
                _ = try connection.execute(
                    """
                    update figures_state
                    set properties = '{NULL}'
                    where app_number = (select app_number from app where app_id = 'atelier')
                    """
                )
            }
            let refreshed = try await run("refresh")
            #expect(refreshed.status == 70 && refreshed.output == "shop: nothing new\n")
            #expect(refreshed.errors.contains("tributary: atelier: "))
            #expect(refreshed.errors.contains("not refreshed: the figures of atelier"))
        }
    }
}
