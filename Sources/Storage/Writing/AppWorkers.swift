import Events
import Postgres
import Synchronization

/// Which worker of a Citus cluster stores each app. A group of events is committed worker by worker, so that a worker
/// that is away keeps back only its own apps.
final class AppWorkers: Sendable {
    /// By the numbers of apps. Nil: the database is not distributed, as far as is known.
    private let workers = Mutex<[Int32: Int32]?>(nil)

    /// Call it with each connection that has stored a group.
    func learn(from connection: isolated PostgresConnection) {
        workers.withLock { workers in
            if !connection.isDistributed { workers = nil } else if workers == nil { workers = [:] }
        }
    }

    /// Call it when a worker is away: its apps may have been moved.
    func forget() {
        workers.withLock { if $0 != nil { $0 = [:] } }
    }

    /// Divides items by their workers. An item of several workers, or of none that is known, goes with others such.
    ///
    /// - Returns: positions of items; one part if the database is not distributed.
    func parts(of items: [[Submission]], on pool: PostgresPool) async -> [[Int]] {
        let whole = [Array(items.indices)]
        guard items.count > 1, var known = workers.withLock({ $0 }) else { return whole }
        let apps = Set(items.joined().map(\.appNumber))
        let unknown = apps.filter { known[$0] == nil }
        if !unknown.isEmpty {
            guard let found = try? await pool.withConnection({ try Self.find(unknown, on: $0) }) else { return whole }
            known.merge(found) { $1 }
            workers.withLock { $0?.merge(found) { $1 } }
        }
        let places = known
        let parts = Dictionary(grouping: items.indices) { position in
            let own = Set(items[position].map { places[$0.appNumber] })
            return own.count == 1 ? own.first ?? nil : nil
        }
        return parts.sorted { $0.value[0] < $1.value[0] }.map(\.value)
    }

    private static func find(
        _ apps: Set<Int32>,
        on connection: isolated PostgresConnection
    ) throws -> [Int32: Int32] {
        var found: [Int32: Int32] = [:]
        for row in try connection.query(StoredSQL.selectAppWorkers, [.intArray(apps.sorted().map { Int64($0) })]) {
            found[Int32(try row.int(0))] = Int32(try row.int(1))
        }
        return found
    }
}

extension PostgresError {
    /// Whether the server answered that one of its workers cannot be reached, or that a month cannot be made while a
    /// part of the tables is being moved. Other events may be stored.
    package var isOfAWorker: Bool {
        guard kind == .server else { return false }
        // Citus says this, with the SQLSTATE of an internal error, if a connection that it had kept is broken.
        return sqlState?.hasPrefix("08") ?? false || message.hasPrefix("failure on connection marked as essential")
            || message.hasPrefix("could not acquire the lock required to colocate")
    }
}
