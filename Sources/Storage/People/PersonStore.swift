import Events
package import Postgres
import InboundLinks

/// One person's data in a database and in the spools of this machine: summary, export and deletion.
package struct PersonStore: Sendable {
    private let pool: PostgresPool
    private let spools: SpoolFolder
    private let packed: any PackedTimelines

    package init(pool: PostgresPool, spools: SpoolFolder, packed: any PackedTimelines) {
        self.pool = pool
        self.spools = spools
        self.packed = packed
    }

    /// What is stored of the person that a key belongs to. A person of whom nothing is stored has no events.
    ///
    /// - Throws: `SpoolError.notPermitted`.
    package func summary(
        of key: PersonKey,
        in app: App,
        progress: @escaping DeletionProgress.Handler = { _ in }
    ) async throws -> PersonSummary {
        try spools.checkAccess(writing: false)
        return try await pool.withConnection { [spools] connection in
            let spooled = try SpooledPerson.claims(of: app, in: spools)
            return try connection.transaction(isolation: .repeatableRead, readOnly: true) {
                let person = try PersonSearch(app: app, spooled: spooled).person(of: key, on: connection)
                var summary = PersonSummary(person: person)
                let ownership = PersonOwnership(person.keys)
                try PersonEvent.forEach(mentioning: person, on: connection, progress: progress) { event, _ in
                    if ownership.owns(event.keys) { summary.events.append(event) }
                }
                try PersonDeadLetter.forEach(of: person, on: connection, progress: progress) { _ in
                    summary.rejectedEvents += 1
                }
                try SpooledPerson(person).forEach(in: spools) { what in
                    switch what {
                    case .event: summary.spooledEvents += 1
                    case .rejection: summary.rejectedEvents += 1
                    }
                }
                summary.finish()
                return summary
            }
        }
    }

    /// Exports everything that is stored of the person that a key belongs to, line by line. All that comes from the
    /// database is of one moment.
    ///
    /// - Parameter write: called with one JSON object at a time, without a line break.
    /// - Returns: the number of lines of each kind.
    /// - Throws: `SpoolError.notPermitted` before anything is written.
    package func export(
        of key: PersonKey,
        in app: App,
        progress: @escaping DeletionProgress.Handler = { _ in },
        write: @escaping @Sendable (String) throws -> Void
    ) async throws -> DeletionCounts {
        try spools.checkAccess(writing: false)
        return try await pool.withConnection { [spools] connection in
            let spooled = try SpooledPerson.claims(of: app, in: spools)
            return try connection.transaction(isolation: .repeatableRead, readOnly: true) {
                let person = try PersonSearch(app: app, spooled: spooled).person(of: key, on: connection)
                var export = PersonExport(person: person, write: write)
                try export.run(on: connection, spools: spools, progress: progress)
                return export.counts
            }
        }
    }

    /// Deletes the person that a key belongs to: everything that was received until now, in all tables and in the
    /// spools of this machine (docs/privacy.md, *Deletion*).
    ///
    /// Events that are received later belong to a new person, whatever ids they carry. Events that were received before
    /// and are stored later are dropped. If the deletion is interrupted, run it again.
    ///
    /// - Returns: the receipt; nil if nothing is kept of the person. Events that are received before are dropped even
    ///   then.
    /// - Throws: `SpoolError.notPermitted` before anything is deleted.
    package func erase(
        _ key: PersonKey,
        in app: App,
        progress: @escaping DeletionProgress.Handler = { _ in }
    ) async throws -> DeletionReceipt? {
        try spools.checkAccess()
        return try await pool.withConnection { [spools, packed] connection in
            let erasure = PersonErasure(app: app, key: key, spools: spools, packed: packed, progress: progress)
            return try erasure.run(on: connection)
        }
    }
}
