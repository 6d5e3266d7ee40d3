package import Postgres

/// A database whose tables are spread over the workers of a Citus cluster, by app (docs/scaling.md).
package struct Distribution: Sendable {
    /// What Citus has to do with a database.
    package enum State: Equatable, Sendable {
        /// Nothing, or its tables are all on this server.
        case oneMachine
        /// `tributary migrate --citus` has finished.
        case distributed
        /// `tributary migrate --citus` has begun and not finished.
        case unfinished
        /// Another program has distributed this table.
        case foreign(table: String)
        /// This server is a worker. The address of its coordinator; nil: it does not know it.
        case worker(coordinator: String?)
    }

    /// Raise it with every change in `create_distributed_functions.sql`.
    static let version = 3

    private let progress: @Sendable (String) -> Void

    /// - Parameter progress: gets a line for each step.
    package init(progress: @escaping @Sendable (String) -> Void = { _ in }) {
        self.progress = progress
    }

    // MARK: - State

    package static func state(_ connection: isolated PostgresConnection) throws -> State {
        let known = try connection.query(
            "select to_regclass('pg_catalog.pg_dist_partition') is not null, to_regclass('distribution') is not null"
        )[0]
        guard try known.bool(0) else { return .oneMachine }
        // A worker knows the tables too.
        let workers = try connection.query(
            """
            select (select nodename || ':' || nodeport from pg_dist_node where groupid = 0 limit 1)
            from pg_dist_local_group
            where groupid <> 0
            """
        )
        if let worker = workers.first { return .worker(coordinator: try worker.optionalText(0)) }
        if try known.bool(1) {
            let rows = try connection.query("select finished_at is not null from distribution")
            return try rows.first?.bool(0) == true ? .distributed : .unfinished
        }
        let placed = try placements(connection).first
        return placed.map { .foreign(table: $0.key) } ?? .oneMachine
    }

    /// - Throws: `DistributionError` if the tables are where this program does not find them.
    static func check(_ connection: isolated PostgresConnection) throws -> State {
        let state = try state(connection)
        switch state {
        case .oneMachine, .distributed: return state
        case .unfinished: throw DistributionError.unfinished
        case .foreign(let table): throw DistributionError.notOurs(table: table)
        case .worker(let coordinator): throw DistributionError.isWorker(coordinator: coordinator)
        }
    }

    /// The places of the tables of ``StoredTable`` that Citus knows, by their names.
    package static func placements(
        _ connection: isolated PostgresConnection
    ) throws -> [String: StoredTable.Placement] {
        var placements: [String: StoredTable.Placement] = [:]
        let names = StoredTable.all.map(\.name)
        for row in try connection.query(StoredSQL.selectPlacements, [.textArray(names)]) {
            switch (try row.text(1), try row.optionalText(2)) {
            case ("h", "app_number"): placements[try row.text(0)] = .worker
            case ("t", _): placements[try row.text(0)] = .everyNode
            // Citus also notes tables that stay on the coordinator, if they have a foreign key to a reference table.
            case ("s", _): placements[try row.text(0)] = .coordinator
            default: placements[try row.text(0)] = nil
            }
        }
        return placements
    }

    /// Whether Citus knows a table.
    ///
    /// - Parameter table: its name as SQL.
    static func isPlaced(_ table: String, _ connection: isolated PostgresConnection) throws -> Bool {
        try connection.query(
            "select exists (select from pg_dist_partition where logicalrelid = $1::text::regclass)",
            [.text(table)]
        )[0].bool(0)
    }

    // MARK: - Distributing

    /// Distributes a database that has this program's schema, whether it is empty or not. Nobody may store events
    /// meanwhile. If it is interrupted, the next call continues.
    ///
    /// - Throws: `DistributionError` if something is missing, before anything is changed; `PostgresError`.
    package func run(_ connection: isolated PostgresConnection) throws {
        let timeout = try connection.liftStatementTimeout()
        defer { try? connection.setStatementTimeout(timeout) }
        try connection.withAdvisoryLock("tributary migrations") { try runAlone(connection) }
    }

    private func runAlone(_ connection: isolated PostgresConnection) throws {
        switch try Self.state(connection) {
        case .distributed:
            progress("this database is distributed")
            return
        case .foreign(let table): throw DistributionError.notOurs(table: table)
        case .worker(let coordinator): throw DistributionError.isWorker(coordinator: coordinator)
        case .oneMachine, .unfinished: break
        }
        try checkCluster(connection)
        try connection.executeScript(StoredSQL.createDistribution)
        progress("preparing the tables")
        try BIViews().drop(connection)
        try connection.executeScript(StoredSQL.prepareDistribution)
        for table in try Self.missing(connection) {
            progress("distributing \(table.name)")
            try connection.transaction {
                try connection.execute("set local citus.multi_shard_modify_mode = 'sequential'")
                try Self.place(table, connection)
            }
        }
        try removeCopies(connection)
        progress("finishing")
        try connection.transaction {
            try connection.execute("set local citus.multi_shard_modify_mode = 'sequential'")
            try connection.executeScript(StoredSQL.finishDistribution)
            try Self.createFunctions(connection)
            try connection.execute("update distribution set finished_at = now()")
        }
        try BIViews().install(connection)
    }

    private func checkCluster(_ connection: isolated PostgresConnection) throws {
        guard try connection.query("select 1 from pg_available_extensions where name = 'citus'").count > 0 else {
            throw DistributionError.noExtension
        }
        guard try connection.query("select 1 from pg_extension where extname = 'citus'").count > 0 else {
            throw DistributionError.extensionNotCreated
        }
        let cluster = try connection.query(StoredSQL.selectCluster)[0]
        let version = try cluster.text(0)
        guard let major = version.split(whereSeparator: { ".-".contains($0) }).first.flatMap({ Int($0) }), major >= 12
        else { throw DistributionError.oldExtension(version: version) }
        guard try cluster.bool(3) else { throw DistributionError.notOwner }
        guard try cluster.bool(1) else { throw DistributionError.coordinatorUnknown }
        guard try cluster.int(2) > 0 else { throw DistributionError.noWorkers }
        let daemons = try cluster.int(4)
        guard daemons == 0 else { throw DistributionError.daemonsAreConnected(daemons) }
        for node in try ClusterState.read(connection).nodes {
            guard let answer = node.answer else {
                throw DistributionError.silentWorker(name: node.name, reason: node.reason)
            }
            if let wrong = answer.wrongSettings.first {
                throw DistributionError.setting(node: node.name, wrong.setting, value: wrong.value)
            }
        }
    }

    /// The tables of ``StoredTable`` that exist and are not yet where they belong, in the order in which they can be
    /// placed: what others refer to comes first.
    private static func missing(_ connection: isolated PostgresConnection) throws -> [StoredTable] {
        let placed = try placements(connection)
        let wanted = StoredTable.all.filter { $0.placement != .coordinator && placed[$0.name] != $0.placement }
        let existing = Set(
            try connection.query(
                "select name from unnest($1::text[]) as name where to_regclass(quote_ident(name)) is not null",
                [.textArray(wanted.map(\.name))]
            ).map { try $0.text(0) }
        )
        return wanted.filter { existing.contains($0.name) }.enumerated()
            .sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
            .map(\.element)
    }

    private static func place(_ table: StoredTable, _ connection: isolated PostgresConnection) throws {
        switch table.placement {
        case .everyNode:
            try connection.execute("select create_reference_table('\(table.name)')")
        case .worker:
            let group = table.name == StoredTable.first ? "default" : StoredTable.first
            try connection.execute(
                "select create_distributed_table('\(table.name)', 'app_number', colocate_with => '\(group)')"
            )
        case .coordinator: break
        }
    }

    /// Frees the coordinator's own copies of rows that are on the workers now.
    private func removeCopies(_ connection: isolated PostgresConnection) throws {
        let names = StoredTable.all.map(\.name)
        for name in try connection.query(StoredSQL.selectCopies, [.textArray(names)]).map({ try $0.text(0) }) {
            progress("freeing the coordinator's copy of \(name)")
            try connection.execute("select truncate_local_data_after_distributing_table('\(name)')")
        }
    }

    private static func createFunctions(_ connection: isolated PostgresConnection) throws {
        try connection.executeScript(StoredSQL.createDistributedFunctions)
        try connection.execute("update distribution set version = $1", [.int(Int64(version))])
    }

    // MARK: - Later migrations

    /// Whether this program's functions are newer than those of the database.
    static func hasOldFunctions(_ connection: isolated PostgresConnection) throws -> Bool {
        try connection.query("select version from distribution")[0].int(0) < version
    }

    /// To be called in the transaction of a migration of a distributed database, after it: distributes the tables that
    /// are new, and makes the functions again, which the migration may have replaced.
    static func complete(_ connection: isolated PostgresConnection) throws {
        for table in try missing(connection) { try place(table, connection) }
        try createFunctions(connection)
    }
}
