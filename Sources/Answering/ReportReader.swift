package import Ingest
package import Postgres
package import Reporting
package import Storage
import Time

/// The connections that read for reports, on the daemon's database or on a standby of it (`report.database`).
///
/// What a client asks for is cancelled when the client goes: its statement ends, and its place is free.
package struct ReportReader: Sendable {
    package let pool: PostgresPool
    /// How many of them may share a report.
    let connections: Int
    let places: ReportPlaces
    /// Whether the worker of an app, on a Citus cluster, is known not to respond.
    let isAway: @Sendable (Int32) -> Bool

    package init(
        pool: PostgresPool,
        connections: Int,
        places: ReportPlaces,
        isAway: @escaping @Sendable (Int32) -> Bool
    ) {
        self.pool = pool
        self.connections = connections
        self.places = places
        self.isAway = isAway
    }

    /// The worker of the app does not respond.
    package struct Away: Error {
        package init() {}
    }

    package var apps: AppStore { AppStore(pool: pool) }

    package func run(_ request: ReportRequest, waits: Bool) async throws -> ReportResult {
        try await run([request], waits: waits)[0]
    }

    /// Runs reports of one app in one pass.
    ///
    /// - Parameters:
    ///   - requests: at least one.
    ///   - waits: whether to wait if there are too many reports of the same worker.
    /// - Throws: ``ReportPlaces/Full`` if it does not wait; ``Away``.
    package func run(_ requests: [ReportRequest], waits: Bool) async throws -> [ReportResult] {
        let app = requests[0].app.number
        return try await whileAwaited {
            try await places.withPlace(of: app, on: server(of: app), waits: waits) {
                try requirePresence(app)
                return try await ReportRunner.run(requests, on: pool, connections: connections)
            }
        }
    }

    /// Lists the people behind a figure, on one connection.
    ///
    /// - Parameter waits: as for reports.
    package func people<Result: Sendable>(
        _ request: ReportRequest,
        waits: Bool,
        _ body: @escaping @Sendable (PostgresPool) async throws -> Result
    ) async throws -> Result {
        let app = request.app.number
        return try await whileAwaited {
            try await places.withPlace(of: app, on: server(of: app), waits: waits) {
                try requirePresence(app)
                return try await body(pool)
            }
        }
    }

    /// Asks what is no report of the app's events. On a cluster this takes a place of the app's worker, as a report
    /// does, so that pages of a worker that hangs leave connections for others. On one machine it waits for no report.
    ///
    /// - Parameter waits: as for reports.
    /// - Throws: ``ReportPlaces/Full`` if it does not wait; ``Away``.
    package func asking<R: Sendable>(
        _ app: App,
        waits: Bool = true,
        _ body: @escaping @Sendable (PostgresPool) async throws -> R
    ) async throws -> R {
        try await whileAwaited {
            try await places.withPlace(of: server(of: app.number), waits: waits) {
                try requirePresence(app.number)
                return try await body(pool)
            }
        }
    }

    /// Runs a body, and cancels it when the client whose request it is for has gone.
    private func whileAwaited<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
        guard let client = CurrentRequest.client else { return try await body() }
        return try await client.reading(body)
    }

    /// Warnings of names of costs that no event has. None if they cannot be found now.
    package func warnings(of costs: [Cost], in app: App) async -> [ReportWarning] {
        let warnings = try? await places.withPlace(of: app.number, on: server(of: app.number), waits: false) {
            try requirePresence(app.number)
            return try await ReportRunner.warnings(of: costs, in: app, on: pool)
        }
        return warnings ?? []
    }

    /// - Throws: ``Away`` if the worker of the app is known not to respond.
    private func server(of app: Int32) async throws -> StoringServer {
        try requirePresence(app)
        return try await pool.withConnection { try StoringServer.current(of: app, on: $0) } ?? .only
    }

    private func requirePresence(_ app: Int32) throws {
        if isAway(app) { throw Away() }
    }

    /// How far the app's events have arrived.
    ///
    /// - Parameter zone: nil for the app's.
    package func freshness(of app: App, in zone: ReportTimeZone? = nil) async throws -> (
        freshness: Freshness, text: String
    )? {
        guard let zone = zone ?? ReportTimeZone(app.profile.timeZone) else { return nil }
        let freshness = try await asking(app) { pool in
            try await pool.withConnection { try Freshness.read(of: app, zone: zone, now: .now, on: $0) }
        }
        return (freshness, freshness.text(in: zone))
    }

    /// What a reader of reports that run after this must know: that history is being read again, and what a standby has
    /// replayed.
    package func notices(of app: App) async -> [String] {
        let history = await apps.historyNotice(of: app)
        let standby = try? await pool.withConnection { try StandbyPosition.read($0) }
        return [history, standby?.notice].compactMap { $0 }
    }
}

extension LongText {
    package init(_ text: ListText) {
        self.init(size: text.size, hash: text.hash) { try text.bytes(at: $0, atMost: $1) }
    }
}
