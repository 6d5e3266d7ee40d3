import Events
import InboundLinks
import Postgres
import Time

/// Finds stored secrets by the rules of this version, and redacts them (``TableRewrite``).
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
        let found = try connection.withAdvisoryLockIfFree("tributary redaction") { try runAlone(on: connection) }
        guard let found else { throw RewriteError.isRedacting }
        return found
    }

    private func runAlone(on connection: isolated PostgresConnection) throws -> RedactionFindings {
        if !isDryRun, try AppDeparture.isMoving(number, on: connection) { throw RewriteError.isMoving }
        var found = RedactionFindings()
        // The spools first: what they deliver meanwhile is clean.
        if let spools { try search(spools, &found) }
        for table in SearchedTable.all(try EventMonth.all(on: connection)) {
            try search(table, in: number, on: connection, writing: !isDryRun) { found.count($0, of: table) }
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
        if !isDryRun, found.total > 0 {
            try connection.log(.redact, in: number, to: [("redacted_values", .number(Int64(found.total)))])
        }
        return found
    }

    private func search(
        _ table: SearchedTable,
        in app: Int32?,
        on connection: isolated PostgresConnection,
        writing: Bool,
        found: ([SecretSearch.Finding]) -> Void = { _ in }
    ) throws {
        try SecretSearch(table: table, app: app)
            .run(on: connection, writing: writing, progress: progress, found: found)
    }

    /// Deletes links whose ids hold a secret, and makes those that the redacted events show.
    private func searchLinks(_ found: inout RedactionFindings, on connection: isolated PostgresConnection) throws {
        var apps: Set<Int32> = []
        for table in SearchedTable.links {
            try search(table, in: number, on: connection, writing: false) { findings in
                apps.formUnion(findings.map(\.app))
                found.count(findings, of: table)
            }
        }
        guard !isDryRun else { return }
        for app in apps.sorted() {
            try LinkRemoval.alone(in: app, on: connection, progress: progress) {
                for table in SearchedTable.links {
                    try search(table, in: app, on: connection, writing: true)
                }
                try LinkRemoval.finishAll(in: app, on: connection)
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

extension RedactionFindings {
    fileprivate mutating func count(_ findings: [SecretSearch.Finding], of table: SearchedTable) {
        for finding in findings {
            for change in finding.changes { count(change.column.name, of: table.label, month: finding.month) }
        }
    }
}
