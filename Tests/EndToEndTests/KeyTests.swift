import Foundation
import JSONReading
import Postgres
import PostgresTesting
import Testing
import Time

/// Keys with both programs: the command line makes and revokes them, running daemons obey.
@Suite("Keys, end to end")
struct KeyTests {
    private let event = #"{"type":"install","user_id":"u"}"#

    private func key(_ arguments: [String], _ database: TestDatabase, _ name: String = "write_key") async throws
        -> String
    {
        let outcome = try await Programs.tributary(
            ["app"] + arguments + ["--format", "json"],
            database: database.address
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try #require(try JSONDocument(reading: outcome.output.utf8).root[name]?.string)
    }

    /// Two daemons on one database.
    private func withDaemons(
        _ body: @Sendable ([RunningDaemon], _ first: String, TestDatabase) async throws -> Void
    ) async throws {
        try await TestDatabases.withSchema { database in
            let first = try await key(["create", "--id", "shop", "--name", "Shop"], database)
            try await RunningDaemon.with(database: database.address) { one in
                try await RunningDaemon.with(database: database.address) { other in
                    try await body([one, other], first, database)
                }
            }
        }
    }

    @Test func areRevokedOnEveryDaemon() async throws {
        try await withDaemons { daemons, first, database in
            let second = try await key(["add-key", "shop", "--label", "job"], database)
            for daemon in daemons {
                // A new key works immediately.
                #expect(try await daemon.post("/v1/events", key: second, event).status == 200)
            }
            let outcome = try await Programs.tributary(
                ["app", "revoke-key", "shop", String(second.prefix(11)) + "…"],
                database: database.address
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            let revokedAt = ContinuousClock.now
            for daemon in daemons {
                var status = 200
                while status == 200, ContinuousClock.now - revokedAt < .seconds(20) {
                    let askedAt = ContinuousClock.now
                    status = try await daemon.post("/v1/events", key: second, event).status
                    // The limit is a second (KeyRingTests). A machine that runs all tests at the same time gets more.
                    if askedAt - revokedAt > .seconds(5) { #expect(status == 401) }
                }
                #expect(status == 401)
                #expect(try await daemon.post("/v1/events", key: first, event).status == 200)
            }
        }
    }

    @Test func areListedWithTheirState() async throws {
        try await withDaemons { daemons, first, database in
            _ = try await key(["add-key", "shop", "--scope", "read", "--expires", "90d"], database, "read_key")
            let revoked = try await key(["add-key", "shop", "--label", "leaked"], database)
            let outcome = try await Programs.tributary(
                ["app", "revoke-key", "shop", revoked],
                database: database.address
            )
            #expect(outcome.output == "revoked \(revoked.prefix(11))…\n")
            for daemon in daemons {
                #expect(try await daemon.post("/v1/events", key: first, event).status == 200)
                // Last uses are also written when the daemon stops.
                #expect(await daemon.stop() == 0)
            }
            let list = try await Programs.tributary(
                ["app", "keys", "shop", "--format", "json"],
                database: database.address
            )
            let keys = try JSONDocument(reading: list.output.utf8).root.elements.map { $0 }
            #expect(keys.count == 4)
            #expect(keys.first { $0["label"]?.string == "leaked" }?["state"]?.string == "revoked")
            #expect(keys.count { $0["expires_at"]?.string != nil } == 1)
            let used = keys.filter { $0["last_used_at"]?.string != nil }
            #expect(used.map { $0["prefix"]?.string } == ["\(first.prefix(11))…"])
            for key in [first, revoked] { #expect(!list.output.contains(key)) }
        }
    }

    /// A reader who wants a new key must not end the backend's.
    @Test func areRotatedByScope() async throws {
        try await TestDatabases.withSchema { database in
            let write = try await key(["create", "--id", "shop", "--name", "Shop"], database)
            let rotated = try await Programs.tributary(
                ["app", "rotate-key", "shop", "--scope", "read", "--overlap", "2h", "--format", "json"],
                database: database.address
            )
            let document = try JSONDocument(reading: rotated.output.utf8)
            #expect(document.root["read_key"]?.string != nil && document.root["write_key"] == nil)
            let end = try #require(document.root["former_keys_work_until"]?.string.flatMap(Timestamp.init(rfc3339:)))
            let list = try await Programs.tributary(
                ["app", "keys", "shop", "--format", "json"],
                database: database.address
            )
            let keys = try JSONDocument(reading: list.output.utf8).root.elements.map { $0 }
            let former = try #require(keys.first { $0["expires_at"]?.string != nil })
            #expect(former["scope"]?.string == "read")
            let expiry = try #require(former["expires_at"]?.string.flatMap(Timestamp.init(rfc3339:)))
            #expect(abs(expiry.microseconds - end.microseconds) < 60_000_000)
            #expect(keys.contains { write.hasPrefix($0["prefix"]?.string?.dropLast() ?? "-") })
        }
    }

    private static let mistakes: [([String], String)] = [
        (["add-key", "shop", "--expires", "never"], "--expires"),
        (["add-key", "shop", "--expires", "99999999999d"], "36500d"),
        (["add-key", "shp"], "did you mean 'shop'"),
        (["add-key", "shop", "--scope", "admin"], "admin"),
        (["rotate-key", "shop"], "--scope"),
        (["revoke-key", "shop", "trib_w_none"], "no such key"),
        (["revoke-key", "shop", "trib_w_00000000000000000000000000000000"], "no such key"),
    ]

    @Test func needRightUsage() async throws {
        try await TestDatabases.withSchema { database in
            _ = try await key(["create", "--id", "shop", "--name", "Shop"], database)
            let cases = Self.mistakes.map { (["app"] + $0, $1) }
            try await Programs.expectUsageErrors(cases, database: database.address)
        }
    }
}
