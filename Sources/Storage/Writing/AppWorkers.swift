import Events
package import Postgres
import Synchronization

/// The server that stores an app's events.
package enum StoringServer: Hashable, Sendable {
    /// The database is not distributed.
    case only
    /// A worker of a Citus cluster, by the number of its group.
    case worker(Int32)

    /// - Returns: the server of an app now; nil if it has none yet.
    package static func current(
        of app: Int32,
        on connection: isolated PostgresConnection
    ) throws -> StoringServer? {
        try current(of: [app], on: connection)[app]
    }

    /// - Returns: the servers of apps now, by the apps' numbers. Apps that have none yet are missing.
    package static func current(
        of apps: [Int32],
        on connection: isolated PostgresConnection
    ) throws -> [Int32: StoringServer] {
        guard connection.isDistributed else { return Dictionary(apps.map { ($0, .only) }) { $1 } }
        var servers: [Int32: StoringServer] = [:]
        for row in try connection.query(StoredSQL.selectAppWorkers, [.intArray(apps.map { Int64($0) })]) {
            servers[Int32(try row.int(0))] = .worker(Int32(try row.int(1)))
        }
        return servers
    }
}

/// Which server stores each app. Each has a lane of its own in the writer, so that a worker that is away keeps back
/// only its own apps.
final class AppWorkers: Sendable {
    private enum Knowledge {
        case none
        case notDistributed
        /// The groups of workers, by the numbers of apps.
        case distributed([Int32: Int32])
    }

    /// For so long after a move, the lane of the former worker may be used: nothing is lost by it.
    private static let lookInterval: Duration = .seconds(30)
    private let nextLook = Mutex(ContinuousClock.now.advanced(by: lookInterval))

    private let knowledge = Mutex(Knowledge.none)
    /// The addresses of workers, by their groups.
    private let addresses = Mutex<[Int32: String]>([:])

    /// Call it with each connection that is used: the database may have been distributed meanwhile.
    func learn(from connection: isolated PostgresConnection) {
        knowledge.withLock { knowledge in
            switch (knowledge, connection.isDistributed) {
            case (.distributed, true), (.notDistributed, false): break
            case (_, true): knowledge = .distributed([:])
            case (_, false): knowledge = .notDistributed
            }
        }
    }

    /// - Returns: the server of an app; nil if it is not known.
    func server(of app: Int32) -> StoringServer? {
        knowledge.withLock { knowledge in
            switch knowledge {
            case .none: nil
            case .notDistributed: .only
            case .distributed(let workers): workers[app].map(StoringServer.worker)
            }
        }
    }

    /// - Returns: the server that stores all submissions; nil if there are several, or if one is not known.
    func server(of submissions: [Submission]) -> StoringServer? {
        guard let first = submissions.first, let server = server(of: first.appNumber) else { return nil }
        if server == .only { return server }
        return submissions.allSatisfy { self.server(of: $0.appNumber) == server } ? server : nil
    }

    /// Asks the database for the servers that are not known.
    ///
    /// - Throws: `PostgresError`.
    func find(_ apps: Set<Int32>, on pool: PostgresPool) async throws {
        let unknown = apps.filter { server(of: $0) == nil }
        if !unknown.isEmpty { try await ask(for: unknown, on: pool) }
    }

    /// Asks again for the apps of a worker that has failed: they may have been moved.
    func findAgain(appsOf worker: Int32, on pool: PostgresPool) async {
        let apps = knowledge.withLock { knowledge -> [Int32] in
            guard case .distributed(let workers) = knowledge else { return [] }
            return workers.filter { $0.value == worker }.map(\.key)
        }
        try? await ask(for: Set(apps), on: pool, limit: .seconds(2))
    }

    /// Asks again for all apps now and then: a move says nothing to anybody.
    func findMoved(on pool: PostgresPool) async {
        let isDue = nextLook.withLock { next in
            guard next <= .now else { return false }
            next = .now.advanced(by: Self.lookInterval)
            return true
        }
        guard isDue else { return }
        let apps = knowledge.withLock { knowledge -> [Int32] in
            guard case .distributed(let workers) = knowledge else { return [] }
            return Array(workers.keys)
        }
        try? await ask(for: Set(apps), on: pool, limit: .seconds(2))
    }

    private func ask(for apps: Set<Int32>, on pool: PostgresPool, limit: Duration? = nil) async throws {
        try await pool.withConnection(limit: limit) { connection in
            self.learn(from: connection)
            guard connection.isDistributed else { return }
            var workers: [Int32: Int32] = [:]
            var addresses: [Int32: String] = [:]
            for row in try connection.query(
                StoredSQL.selectAppWorkers,
                [.intArray(apps.sorted().map { Int64($0) })]
            ) {
                let worker = Int32(try row.int(1))
                workers[Int32(try row.int(0))] = worker
                addresses[worker] = try row.text(2)
            }
            let found = (workers: workers, addresses: addresses)
            self.addresses.withLock { $0.merge(found.addresses) { $1 } }
            self.knowledge.withLock { knowledge in
                guard case .distributed(let known) = knowledge else { return }
                knowledge = .distributed(known.merging(found.workers) { $1 })
            }
        }
    }

    func address(of worker: Int32) -> String { addresses.withLock { $0[worker] } ?? "unknown" }
}

extension PostgresError {
    /// Whether the server answered that one of its workers cannot be reached, or takes no events.
    package var isOfAWorker: Bool {
        kind == .server && (isUnavailable && isRelayed || sqlState?.hasPrefix("08") ?? false)
    }

    /// Whether a month cannot be made while a part of the tables is being moved. Events of other months can be stored.
    var isOfAMove: Bool {
        kind == .server && message.hasPrefix("could not acquire the lock required to colocate")
    }
}
