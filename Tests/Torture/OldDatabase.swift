import EmbeddedPostgres
import Foundation
import Postgres
import RandomTesting
import Storage

/// Databases of an old version, with events, whose migration to this version is killed half-way.
struct OldDatabase {
    /// How often a migration was killed before its end, and how many migrations had been applied by then.
    private(set) var kills: [Int] = []
    /// What was wrong after the last try.
    private(set) var complaints: [String] = []

    private let cluster: Cluster
    private let tributary: URL
    /// The last migration of the old version. The next one adds a column to the events.
    private static let lastOldMigration = "0006"

    /// - Parameters:
    ///   - rounds: how many databases.
    ///   - events: how many events each has.
    init(on cluster: Cluster, tributary: URL, rounds: Int, events: Int, seed: UInt64) async throws {
        self.cluster = cluster
        self.tributary = tributary
        var random = SeededRandom(seed, 3)
        for round in 0..<rounds {
            let name = "old_\(round)"
            try await make(name, events: events)
            let before = try await content(of: name)
            // The last try is not killed.
            for attempt in 0..<5 {
                try await migrate(name, killedAfter: attempt < 4 ? Int.random(in: 1...6, using: &random) : nil)
            }
            let after = try await content(of: name)
            if after != before { complaints.append("\(name): \(before) before the migrations, \(after) after them") }
            try await cluster.query("drop database \(name)")
        }
    }

    private func make(_ name: String, events: Int) async throws {
        try await cluster.query("create database \(name)")
        let old = Migrator.all.filter { $0.name.prefix(4) <= Self.lastOldMigration }
        try await run(on: name) { connection in
            _ = try Migrator(migrations: old).migrate(connection)
            try connection.executeScript(
                """
                insert into app (app_id, name) values ('old', 'Old');
                insert into api_key (key_hash, app_number, scope, prefix) values ('\\x00', 1, 'read', 'trib_r_');
                select ensure_event_partition(month::date)
                from generate_series(timestamptz '2026-01-01', '2026-06-01', '1 month') as month;
                insert into event (app_number, event_id, type, occurred_at, received_at, user_id, device_id)
                select 1, gen_random_uuid(), case when n % 3 = 0 then 'install' else 'authentication' end::event_type,
                    timestamptz '2026-01-01' + n % 150 * interval '1 day', now(), 'u' || n % 1000, 'd' || n % 3000
                from generate_series(1, \(events)) as n;
                insert into event_key select app_number, event_id, received_at from event;
                insert into device_link (app_number, device_id, user_id, occurred_at, event_id)
                select distinct on (device_id) 1, device_id, user_id, occurred_at, event_id
                from event order by device_id, occurred_at, event_id;
                """
            )
        }
    }

    /// - Parameter migrations: the number of applied migrations after which the program is killed.
    private mutating func migrate(_ name: String, killedAfter migrations: Int?) async throws {
        let before = try await applied(in: name)
        let process = Process()
        process.executableURL = tributary
        process.arguments = ["migrate"]
        process.environment = ["DATABASE_URL": cluster.address(database: name).keywords]
        let output = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        if let migrations {
            while process.isRunning, try await applied(in: name) < before + migrations {}
            let isKilled = process.isRunning
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            // Its session in the server notices, and rolls back.
            while try await sessions(in: name) > 0 { try? await Task.sleep(for: .milliseconds(20)) }
            let after = try await applied(in: name)
            if isKilled, after < Migrator.all.count { kills.append(after - before) }
        } else {
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            if process.terminationStatus != 0 {
                complaints.append("\(name): `tributary migrate` ended with \(process.terminationStatus): \(text)")
            } else if try await applied(in: name) != Migrator.all.count {
                complaints.append("\(name): migrations are missing")
            }
        }
    }

    private func applied(in name: String) async throws -> Int {
        try await run(on: name) { Int(try $0.query("select count(*) from schema_migration")[0].int(0)) }
    }

    private func sessions(in name: String) async throws -> Int64 {
        let sql = "select count(*) from pg_stat_activity where datname = '\(name)' and application_name <> 'torture'"
        return try await cluster.query(sql) ?? 0
    }

    private func content(of name: String) async throws -> [String] {
        let queries = [
            """
            select md5(string_agg(concat_ws(',', event_id, type, occurred_at, received_at, user_id, device_id), ';'
                order by event_id)) from event
            """,
            "select md5(string_agg(concat_ws(',', event_id, received_at), ';' order by event_id)) from event_key",
            "select md5(string_agg(concat_ws(',', device_id, user_id, event_id), ';' order by device_id)) from device_link",
            "select md5(string_agg(key_hash::text || app_id, ';')) from api_key join app using (app_number)",
            "select count(*)::text from event",
        ]
        return try await run(on: name) { connection in
            try queries.map { try connection.query($0)[0].optionalText(0) ?? "" }
        }
    }

    private func run<Value: Sendable>(
        on name: String,
        _ body: @Sendable (isolated PostgresConnection) throws -> Value
    ) async throws -> Value {
        let connection = try await PostgresConnection.connect(
            to: cluster.address(database: name),
            options: PostgresOptions(applicationName: "torture", statementTimeout: nil)
        )
        let value = try await connection.run(body)
        await connection.close()
        return value
    }
}
