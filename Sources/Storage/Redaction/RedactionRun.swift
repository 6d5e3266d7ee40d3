import Events
import Postgres
import Time

/// Finds stored secrets by the rules of this version, and redacts them. Events are stored
/// meanwhile. If it is interrupted, the next run continues: it finds what is left.
///
/// The order of the steps matters: links are derived from events, so they are made again after all events are clean.
struct RedactionRun {
    /// Nil: every app.
    let app: App?
    let isDryRun: Bool
    /// Nil if the spools are not searched.
    let spools: SpoolFolder?
    let progress: DeletionProgress.Handler

    private var number: Int32? { app?.number }

    func run(on connection: isolated PostgresConnection) throws -> RedactionFindings {
        let lock = "hashtextextended('tributary redaction', 0)"
        guard try connection.query("select pg_try_advisory_lock(\(lock))")[0].bool(0) else {
            throw RedactionError.isRunning
        }
        defer { _ = try? connection.execute("select pg_advisory_unlock(\(lock))") }
        var found = RedactionFindings()
        // The spools first: what they deliver meanwhile is clean.
        if let spools { try search(spools, &found) }
        for table in SearchedTable.all(try EventMonth.all(on: connection)) {
            try search(table, &found, on: connection)
        }
        try searchLinks(&found, on: connection)
        found.appsToRebuild = try connection.query(
            """
            select app_id
            from timeline_state
            join app using (app_number)
            where must_rebuild and ($1::integer is null or app_number = $1)
            order by app_id
            """,
            [number.map { .int(Int64($0)) } ?? .null]
        ).map { try $0.text(0) }
        return found
    }

    private func search(
        _ table: SearchedTable,
        _ found: inout RedactionFindings,
        on connection: isolated PostgresConnection
    ) throws {
        let search = SecretSearch(table: table, app: number)
        try search.run(on: connection, rewriting: !isDryRun, progress: progress) { findings in
            for app in Set(findings.lazy.filter(\.isReported).map(\.app)).sorted() {
                try connection.execute(StoredSQL.markForRebuild, [.int(Int64(app))])
                try connection.execute("select invalidate_figures($1::integer)", [.int(Int64(app))])
            }
        } found: { findings in
            count(findings, of: table, &found)
        }
    }

    private func count(
        _ findings: [SecretSearch.Finding],
        of table: SearchedTable,
        _ found: inout RedactionFindings
    ) {
        for finding in findings {
            for change in finding.changes { found.count(change.column.name, of: table.label, month: finding.month) }
        }
    }

    /// Deletes links whose ids hold a secret, and makes those that the redacted events show.
    private func searchLinks(_ found: inout RedactionFindings, on connection: isolated PostgresConnection) throws {
        var apps: Set<Int32> = []
        for table in [SearchedTable.deviceLinks, .clickLinks] {
            let search = SecretSearch(table: table, app: number)
            try search.run(
                on: connection,
                rewriting: false,
                progress: progress,
                found: { findings in
                    apps.formUnion(findings.map(\.app))
                    count(findings, of: table, &found)
                }
            )
        }
        guard !isDryRun else { return }
        for app in apps.sorted() {
            try LinkRemoval.alone(in: app, on: connection) {
                var removals: [Int64] = []
                for table in [SearchedTable.deviceLinks, .clickLinks] {
                    let search = SecretSearch(table: table, app: app)
                    try search.run(on: connection, rewriting: true, progress: progress) { _ in
                        removals.append(try LinkRemoval.note(in: app, storedFrom: 0, on: connection))
                    }
                }
                try LinkRemoval.finish(removals, in: app, on: connection)
            }
        }
    }

    private func search(_ spools: SpoolFolder, _ found: inout RedactionFindings) throws {
        let before = found.total
        try spools.forEachSubmission { submission in
            guard number == nil || submission.appNumber == number else { return }
            let redacted = StoredText.submission(submission)
            let month = String(submission.receivedAt.rfc3339.prefix(7))
            for (old, new) in zip(submission.events, redacted.events) where old != new {
                found.count("event", of: "spool", month: month)
            }
            for (old, new) in zip(submission.rejections, redacted.rejections) where old != new {
                found.count("rejected_event", of: "spool", month: month)
            }
        }
        guard !isDryRun, found.total > before else { return }
        _ = try spools.erase { submission in
            if number == nil || submission.appNumber == number { submission = StoredText.submission(submission) }
        } isDoomed: { _ in
            false
        }
    }
}
