package import Postgres

/// Moves an app to another database while its senders go on (docs/moving.md): copies, catches up, and switches.
///
/// Events keep the numbers of their transactions. Before the switch, the other database gets a generation above all of
/// this one, so its later numbers are greater: cursors of exports, positions of webhooks and figures stay right there.
/// The app's row in `app` is made last, so nothing there knows of the app until the switch. What takes long is done
/// before the bar: events and links are copied in rounds, until a round is short.
///
/// | what | where | what is true if the program ends after it |
/// |---|---|---|
/// | the departure, the arrival | here, there | the next run goes on; `undo` takes all back |
/// | a piece of events, with its position | there | the same |
/// | the bar | here | the same; events wait in spools |
/// | the switch | there | the app is there. The next run only notes it here |
/// | the end | here | daemons here say that the app has moved |
package struct AppMove: Sendable {
    /// What was reached. Tests end the program there.
    package enum Stage: CaseIterable, Sendable {
        case begun, copiedPiece, caughtUp, barred, copiedLast, copiedWhole, switched
    }

    /// What a move did, in this run and before.
    package struct Outcome: Equatable, Sendable {
        /// The app's number in the other database.
        package var number: Int32
        package var events: Int
    }

    /// Events of a transaction in the other database, about.
    let piece: Int
    let id: String
    private let source: PostgresPool
    private let target: PostgresPool
    let progress: DeletionProgress.Handler
    let reached: @Sendable (Stage) async throws -> Void
    /// A round that takes no longer is the last one before the bar.
    private static let shortRound: Duration = .seconds(1)
    private static let rounds = 20

    package init(
        of id: String,
        from source: PostgresPool,
        to target: PostgresPool,
        piece: Int = 200_000,
        progress: @escaping DeletionProgress.Handler = { _ in },
        reached: @escaping @Sendable (Stage) async throws -> Void = { _ in }
    ) {
        self.id = id
        self.source = source
        self.target = target
        self.piece = piece
        self.progress = progress
        self.reached = reached
    }

    // MARK: - Runs

    /// Moves the app, or goes on where an earlier run ended.
    package func run() async throws -> Outcome {
        try await withEnds { ends in
            if try await arrival(ends)?.hasArrived == true {
                // What was stored here without the bar is not there.
                guard try await departure(ends)?.isBarred == true else { throw AppMoveError.movedFromCopy }
            } else {
                try await begin(ends)
                try await reached(.begun)
                try await raiseGeneration(ends)
                try await catchUp(ends)
                try await compare(ends)
                try await catchUp(ends)
                try await checkPlace(ends)
                try await reached(.caughtUp)
                try await bar(ends)
                try await reached(.barred)
                try await copyRound(ends, isLast: true)
                try await reached(.copiedLast)
                try await raiseGeneration(ends)
                try await switchOver(ends)
                try await reached(.switched)
            }
            guard let arrival = try await arrival(ends) else { throw AppMoveError.hasNotBegun }
            try await noteEnd(ends)
            return Outcome(number: arrival.number, events: try await Self.count(arrival.number, ends.target))
        }
    }

    /// Copies what has come, until that takes short.
    private func catchUp(_ ends: MovingEnds) async throws {
        for _ in 0..<Self.rounds {
            let beganAt = ContinuousClock.now
            try await copyRound(ends, isLast: false)
            if beganAt.duration(to: .now) < Self.shortRound { return }
        }
    }

    /// What would move: the numbers of rows by table, those without rows left out.
    package func preview() async throws -> [(table: String, rows: Int)] {
        try await withEnds { ends in
            try await checkPlace(ends)
            return try await ends.source.run { [number = ends.app.number] connection in
                try StoredTable.all.filter(\.isCopied).compactMap { table -> (String, Int)? in
                    let count = try connection.query(
                        "select count(*) from \(table.name) where app_number = $1",
                        [.int(Int64(number))]
                    )[0].int(0)
                    return count > 0 ? (table.name, count) : nil
                }
            }.map { (table: $0.0, rows: $0.1) }
        }
    }

    /// Takes back a move that has not switched: removes the copy, and lets the app be stored here again.
    package func undo() async throws {
        try await withEnds { ends in
            let arrival = try await arrival(ends)
            if let arrival {
                guard !arrival.hasArrived else { throw AppMoveError.hasArrived }
                let (number, progress) = (PostgresValue.int(Int64(arrival.number)), progress)
                try await ends.target.run { connection in
                    // The switch of a program that was killed may be committing: this waits for it.
                    let isUndone = try connection.execute(StoredSQL.undoArrival, [number]) > 0
                    guard isUndone else { throw AppMoveError.hasArrived }
                    try StoringTransactions.waitForThoseInDoubt(of: arrival.number, on: connection)
                    let tables = StoredTable.all.filter { [.keys, .links].contains($0.moves) }.map(\.name)
                    for part in try EventMonth.all(on: connection).map(\.name) + tables {
                        _ = try PagewiseDeletion(
                            table: part,
                            condition: "app_number = $3",
                            parameters: [number],
                            apps: [arrival.number]
                        ).run(on: connection, stage: "removing the copy", progress: progress)
                    }
                    try connection.execute("delete from app_arrival where app_number = $1", [number])
                }
            }
            let hasDeparted = try await ends.source.run { [number = ends.app.number, targetID = ends.targetID] in
                try AppDeparture.takeBack(number, to: targetID, on: $0)
            }
            guard hasDeparted || arrival != nil else { throw AppMoveError.hasNotBegun }
        }
    }

    /// Lets an app be stored here again whose move has not ended, if the other database is gone for good. **It may have
    /// switched:** then the app is in both, if that database comes back.
    package static func abandon(_ id: String, in source: PostgresPool) async throws {
        let app = try await AppStore(pool: source).app(id: id)
        try await source.withConnection { connection in
            let isTakenBack = try connection.withAdvisoryLockIfFree("tributary move", of: app.number) {
                try AppDeparture.takeBack(app.number, to: nil, on: connection)
            }
            guard let isTakenBack else { throw AppMoveError.isRunning }
            guard isTakenBack else { throw AppMoveError.hasNotBegun }
        }
    }

    private func withEnds<Value: Sendable>(_ body: (MovingEnds) async throws -> Value) async throws -> Value {
        let variants = StatementVariants(
            isNeeded: StorageStatements.isDistributed,
            texts: StorageStatements.distributed
        )
        var options = PostgresOptions(statementTimeout: nil, idleInTransactionTimeout: nil, variants: variants)
        options.applicationName = "tributary move"
        let source = try await PostgresConnection.connect(to: source.address, options: options)
        do {
            let target = try await PostgresConnection.connect(to: target.address, options: options)
            do {
                let value = try await body(try await ends(source, target))
                await target.close()
                await Self.close(source)
                return value
            } catch {
                await target.close()
                throw error
            }
        } catch {
            await Self.close(source)
            throw error
        }
    }

    /// The server ends the session after this returns; whoever moves or deletes the app next needs its lock.
    private static func close(_ source: PostgresConnection) async {
        _ = try? await source.run { _ = try $0.query("select pg_advisory_unlock_all()") }
        await source.close()
    }

    private static func find(_ id: String, on connection: isolated PostgresConnection) throws -> App {
        let apps = try AppStore.apps(andBeingDeleted: false, andMoved: true, on: connection)
        guard let app = apps.first(where: { $0.profile.id == id }) else {
            throw AppStoreError.unknown(id: id, known: apps.map(\.profile.id))
        }
        return app
    }

    private func ends(_ source: PostgresConnection, _ target: PostgresConnection) async throws -> MovingEnds {
        let names = StoredTable.all.filter { $0.isCopied || $0.moves == .users }.map(\.name)
        let (app, sourceID, columns, made) = try await source.run { [id] connection in
            // One move of an app at a time, and no deletion. The lock ends with the session.
            let number = try Self.find(id, on: connection).number
            guard try connection.keepsAdvisoryLock("tributary move", of: number) else { throw AppMoveError.isRunning }
            let app = try Self.find(id, on: connection)
            _ = try Distribution.check(connection)
            var columns: [String: [MovingEnds.Column]] = [:]
            var made: [String: String] = [:]
            for row in try connection.query(StoredSQL.selectColumns, [.textArray(names)]) {
                let (table, column) = (try row.text(0), try row.text(1))
                columns[table, default: []].append(MovingEnds.Column(name: column, type: try row.text(2)))
                if try row.bool(3), table != "app", table != "dashboard_user" { made[column] = table }
            }
            return (app, try DatabaseIdentity.read(connection), columns, made)
        }
        let targetID = try await target.run { connection in
            _ = try Distribution.check(connection)
            return try DatabaseIdentity.read(connection)
        }
        guard sourceID != targetID else { throw AppMoveError.sameDatabase }
        return MovingEnds(
            source: source,
            target: target,
            app: app,
            sourceID: sourceID,
            targetID: targetID,
            columns: columns,
            madeNumbers: made
        )
    }
}

extension StoredTable {
    /// Whether its rows become those of the other database as they are.
    fileprivate var isCopied: Bool {
        switch moves {
        case .events, .keys, .links, .whole, .first: true
        case .users, .anew, .stays: false
        }
    }
}
