import EmbeddedPostgres
import Foundation
import Postgres
import Storage
import Time

extension Cluster {
    /// Runs `body` while a table is locked against every use.
    ///
    /// - Returns: whether the lock was granted in time.
    func locking(_ table: String, _ body: () async throws -> Void) async throws -> Bool {
        let connection = try await PostgresConnection.connect(to: address)
        do {
            try await connection.run { connection in
                try connection.executeScript("set lock_timeout = '10s'; begin; lock table \(table)")
            }
        } catch is PostgresError {
            await connection.close()
            return false
        }
        do {
            try await body()
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
        return true
    }

    /// Takes every connection that the server has left.
    func takeConnections() async -> [PostgresConnection] {
        var taken: [PostgresConnection] = []
        let options = PostgresOptions(applicationName: "torture", connectTimeout: .seconds(2))
        while taken.count <= Self.connections {
            guard let connection = try? await PostgresConnection.connect(to: address, options: options) else { break }
            taken.append(connection)
        }
        return taken
    }

    /// Keeps a copy of the data as it is now. The server must not run.
    func keepCopy() throws {
        try run(["/bin/rm", "-rf", copy])
        try run(["/bin/cp", "-a", data, copy])
    }

    /// The server of the copy takes the place of the server that ran until now, as an asynchronous standby does that
    /// has received nothing since the copy was made.
    func promoteCopy() async throws {
        await end(SIGKILL)
        try run(["/bin/rm", "-rf", data])
        try run(["/bin/cp", "-a", copy, data])
        try run(["/bin/rm", "-rf", copy])
        try run(["/bin/cp", "-p", data + "/PG_VERSION", data + "/standby.signal"])
        try await start()
        try await query("select pg_promote()")
    }

    /// The numbers of the stored events.
    func storedNumbers(seed: UInt64) async throws -> Set<Int> {
        let connection = try await PostgresConnection.connect(
            to: address,
            options: PostgresOptions(applicationName: "torture", statementTimeout: nil)
        )
        let numbers = try await connection.run { connection in
            var numbers: Set<Int> = []
            try connection.copyOut("copy (select event_id from event_key) to stdout (format binary)") { row in
                let (high, low) = try row.nextUUID()
                guard high == TortureEvent.idHigh(seed: seed) else { return }
                numbers.insert(Int(low & ~TortureEvent.idLowMark))
            }
            return numbers
        }
        await connection.close()
        return numbers
    }

    /// Makes the events that are stored those of 45 days ago: their keys are gone.
    func age() async throws {
        try await script([
            // By way of UTC, because Citus refuses what depends on the session's time zone.
            """
            update event
            set received_at = (received_at at time zone 'UTC' - interval '45 days') at time zone 'UTC'
            """,
            "delete from event_key",
            "update event_key_set set kept_from = now() - interval '31 days'",
        ])
    }

    /// - Parameter milliseconds: a longer step is interrupted; nil: none is.
    /// - Returns: whether it has begun.
    func renewKeys(within milliseconds: Int?) async -> Bool {
        let options = PostgresOptions(
            applicationName: "torture",
            statementTimeout: milliseconds.map { .milliseconds($0) }
        )
        guard let connection = try? await PostgresConnection.connect(to: address, options: options) else {
            return false
        }
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970) * 1_000_000)
        let hasBegun = try? await connection.run { connection in
            // A daemon may be doing the same.
            let lock = "select pg_try_advisory_lock(hashtextextended('tributary retention', 0))"
            guard try connection.query(lock)[0].bool(0) else { return false }
            try? EventKeyRenewal(now: now).run(on: connection)
            return true
        }
        await connection.close()
        return hasBegun ?? false
    }

    private func run(_ command: [String]) throws {
        let outcome = SystemCommand(command).run()
        guard outcome.status == 0 else { throw TortureFailure("\(command): \(outcome.output)") }
    }
}
