import Events
import Logging
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
import Time
import RandomTesting
import Timelines

/// A migrated database with a writer, and apps with random streams.
struct FigureTesting: Sendable {
    let database: TestDatabase
    let writer: EventWriter

    var pool: PostgresPool { database.pool }

    static func with<R: Sendable>(
        onCluster: Bool = TestDatabases.usesCitus,
        poolSize: Int = 4,
        _ body: @Sendable (FigureTesting) async throws -> R
    ) async throws -> R {
        try await TestDatabases.withDatabase(
            isOnCluster: onCluster,
            poolSize: poolSize,
            migrate: TestDatabases.migrate
        ) { database in
            let writer = EventWriter(pool: database.pool, logger: Logger(label: "test"))
            return try await writer.whileRunning {
                try await body(FigureTesting(database: database, writer: writer))
            }
        }
    }

    func makeApp(_ id: String, timeZone: String = "UTC", properties: [AppProperty] = []) async throws -> App {
        try await AppStore(pool: pool).made(
            id,
            currency: RandomStream.currency,
            timeZone: timeZone,
            properties: properties
        )
    }

    func store(_ events: [Event], of app: App) async throws {
        try await writer.store(events, of: app, receivedAt: RandomStream.monday)
    }

    /// Scans for changes, and computes all stale figures.
    ///
    /// - Returns: those that memory does not hold.
    @discardableResult
    func refresh(_ app: App, memory: FigureMemory = FigureMemory()) async throws -> Set<PeriodFigures> {
        let refresher = try FigureRefresher(app: app, memory: memory)
        return try await pool.withConnection { connection in
            var leftOut: Set<PeriodFigures> = []
            _ = try refresher.whileAlone(waiting: true, on: connection) { connection in
                try refresher.scanChanges(on: connection)
                while let step = try refresher.refreshNext(.all, on: connection) { leftOut.formUnion(step.leftOut) }
            }
            return leftOut
        }
    }

    func erase(_ person: PersonKey, of app: App) async throws {
        let spools = try await SpoolFolder(path: "/nonexistent", of: pool)
        _ = try await PersonStore(pool: pool, spools: spools, packed: TimelineRemoval()).erase(person, in: app)
    }

    /// Takes back the declaration of a property, and declares it of anything.
    func declareAgain(_ random: inout SeededRandom, of app: App) async throws -> App {
        let store = AppStore(pool: pool)
        guard !app.properties.isEmpty else { return app }
        let old = random.pick(app.properties)
        try await store.removeProperty(old.name, of: app)
        let kind = random.pick(AppProperty.Kind.allCases)
        try await store.declare(AppProperty(old.name, of: kind, values: random.pick([1, 3])), of: app)
        return try await store.app(id: app.profile.id)
    }

    func differences(_ app: App) async throws -> Set<PeriodFigures> {
        let refresher = try FigureRefresher(app: app)
        return try await pool.withConnection { try refresher.check(on: $0) }
    }

    /// Rows as texts, null as "".
    func texts(_ sql: String, _ parameters: [PostgresValue] = []) async throws -> [[String]] {
        try await pool.withConnection { connection in
            try connection.query(sql, parameters)
                .map { row in try (0..<row.columnCount).map { try row.optionalText($0) ?? "" } }
        }
    }

    func count(_ sql: String, _ parameters: [PostgresValue] = []) async throws -> Int {
        try await pool.withConnection { try $0.query(sql, parameters)[0].int(0) }
    }
}
