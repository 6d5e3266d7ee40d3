import Events
import Time
import Postgres

/// Deletes an app and everything that belongs to it. First it revokes the keys and bars the app from storing events;
/// then it deletes the rows, page range by page range. If it is interrupted, the next run continues.
struct AppDeletion {
    let app: App
    /// Nil: spools stay as they are, and the delivery drops the app's events.
    let spools: SpoolFolder?
    let progress: DeletionProgress.Handler

    func run(on connection: isolated PostgresConnection) throws -> DeletionReceipt {
        let number: PostgresValue = .int(Int64(app.number))
        let startedAt = Timestamp(
            microseconds: try connection.query("select clock_timestamp()")[0].timestamp(0)
        )
        // A move that begins finds the deletion, or has been found.
        let hasMoved = try connection.withAdvisoryLockIfFree("tributary move", of: app.number) {
            // What came after the app had moved is the other database's.
            let hasMoved = try AppDeparture.hasMoved(app.profile.id, on: connection)
            if !hasMoved, try AppDeparture.isMoving(app.number, on: connection) { throw RewriteError.isMoving }
            try connection.transaction {
                // Daemons stop serving its links within a second, too, and nobody creates links of it from now on.
                _ = try LinkRevision.raise(on: connection)
                try connection.execute(StoredSQL.insertDeletedApp, [number])
                // Daemons refuse them within a second.
                try connection.execute(StoredSQL.revokeKeys, [number])
            }
            return hasMoved
        }
        guard let hasMoved else { throw RewriteError.isMoving }
        progress(DeletionProgress("waiting for events that are being stored"))
        try StoringTransactions.waitForThose(of: app.number, on: connection)

        var counts = DeletionCounts()
        progress(DeletionProgress("rewriting spools"))
        let spooled = try eraseSpooled(hasMoved ? nil : spools)
        // No other program may restore links while they are deleted.
        try LinkRemoval.alone(in: app.number, on: connection, progress: progress) {
            // On one machine, triggers count this.
            if connection.isDistributed { try connection.execute("update link_revision set revision = revision + 1") }
            for table in StoredTable.all where table.isOfAnApp && !["app", "api_key"].contains(table.name) {
                counts[table.name] = 0
                let parts = table.name == "event" ? try EventMonth.all(on: connection).map(\.name) : [table.name]
                for part in parts {
                    counts[table.name] += try PagewiseDeletion(
                        table: part,
                        condition: "app_number = $3",
                        parameters: [number],
                        apps: [app.number]
                    ).run(on: connection, stage: "deleting \(part)", progress: progress)
                }
            }
        }
        let deleteChanges = "delete from change_log where app_number = $1"
        counts["change_log"] = try connection.execute(deleteChanges, [number])
        counts["spooled_event"] = spooled.events
        counts["spooled_rejected_event"] = spooled.rejections
        counts["spooled_unreadable_request"] = spooled.unreadable
        return try connection.transaction {
            _ = try LinkRevision.raise(on: connection)
            // Another app may have the hosts from now on. Daemons must not serve the deleted links there.
            try connection.execute(StoredSQL.requireCompleteReading)
            counts["api_key"] = try connection.execute("delete from api_key where app_number = $1", [number])
            // Those that came meanwhile.
            try connection.execute(deleteChanges, [number])
            counts["app"] = try connection.execute("delete from app where app_number = $1", [number])
            try connection.execute(StoredSQL.deleteSessionsInApp, [number])
            counts["dashboard_user"] = try UserStore.deleteThoseWithoutApp(on: connection)
            try connection.log(.deleteApp, app.profile.id, in: nil)
            return try DeletionReceiptStore.keep(
                .app,
                appID: app.profile.id,
                startedAt: startedAt,
                counts: counts,
                on: connection
            )
        }
    }

    private func eraseSpooled(_ spools: SpoolFolder?) throws -> SpoolFolder.Erasure {
        guard let spools else { return SpoolFolder.Erasure() }
        return try spools.erase { submission in
            guard submission.appNumber == app.number else { return }
            submission.events = []
            submission.rejections = []
        } isDoomed: {
            SubmissionJSON.appNumber(in: $0) == app.number
        }
    }
}
