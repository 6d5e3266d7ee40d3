import Ingest
import Logging
import Postgres
import Redirects
import ServiceLifecycle
import Storage
import Events

/// Delivers the spool to PostgreSQL, in order, when PostgreSQL is available again. It migrates the database first, if
/// that was not possible at the start.
struct SpoolCourier: Service {
    /// The time between two checks.
    private static let pause: Duration = .milliseconds(500)
    private static let addressPause: Duration = .milliseconds(50)

    /// The number of checks from one search for abandoned spools to the next.
    private static let checksPerRound = 20

    let spool: Spool
    /// The folder of the spools, its own and those of other daemons.
    let folder: String
    /// The folder in which those of all databases lie, also of some that are in the settings no more.
    let root: String
    let sink: SpoolingSink
    let writer: EventWriter
    let pool: PostgresPool
    let address: DatabaseAddress
    let schema: DatabaseSchema
    /// The rules of apps: those of today count, not those of the time when an event was put into the spool.
    let directory: LinkDirectory
    let logger: Logger
    /// Those of the daemon's other databases. They have others of their own, and need not know them here.
    var others: [SpoolCourier] = []

    /// - Throws: `SpoolError.ofAnotherDatabase` if another database has taken the place of the one that the daemon's
    ///   keys and requests belong to. A daemon serves one database. Also the errors of ``begin()``.
    func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await begin()
            let complaints = Complaints("the spool cannot be delivered", logger)
            var checks = 0
            var (bypass, pace) = (SpoolBypass(), SpoolPace())
            while !Task.isCancelled {
                await spool.syncNote()
                await spool.tryWriting()
                sink.tell()
                if spool.depth.batches > 0 || !sink.isDatabasePresent || checks % Self.checksPerRound == 0 {
                    complaints.record(try await deliver(&bypass, &pace))
                }
                checks += 1
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Waits for the address of the database, and checks the database once. If it is unavailable, the courier goes on
    /// trying.
    ///
    /// - Throws: if the daemon cannot use the database, for example because a newer version has migrated it.
    private func begin() async throws {
        while !address.isKnown {
            guard (try? await Task.sleep(for: Self.addressPause)) != nil else { return }
        }
        guard !schema.isMigrated else { return }
        do {
            _ = try await schema.ensure()
        } catch let error as PostgresError
            where !error.isPermissionDenied && !error.isAuthenticationFailure && !error.isMissingDatabase
            && error.kind != .unsuitablePooler
        {
            logger.error(
                "the database is unavailable; events of known keys go to the spool",
                metadata: ["reason": "\(error)"]
            )
        } catch  where Task.isCancelled {
            return
        }
    }

    /// Delivers its own spool, and the spools that no daemon has open.
    ///
    /// - Returns: why a spool cannot be delivered; nil if none fails, or if the database is unavailable.
    private func deliver(_ bypass: inout SpoolBypass, _ pace: inout SpoolPace) async throws(SpoolError) -> String? {
        do {
            let departures = sink.departures
            let database = try await schema.ensure()
            try await spool.claim(for: database)
            // An app that moved away and came back has another number now.
            let numbers = spool.depth.batches > 0 ? try await arrivals(from: database) : [:]
            let shouldRetryHead = bypass.shouldRetryHead
            if shouldRetryHead {
                do {
                    try await deliver(spool, numbers, &pace)
                    bypass = SpoolBypass()
                    if !Task.isCancelled { sink.markPresent(since: departures) }
                } catch EventWriterError.partlyUnavailable {
                    bypass.headFailed()
                }
            }
            if !bypass.shouldRetryHead {
                try await bypass.run(refuses: writer.refuses) { [events = pace.events] position in
                    try await spool.oldest(after: position, events: events)
                } store: {
                    try await store(Self.renumbered($0, numbers))
                }
            }
            guard shouldRetryHead else { return nil }
            if others.contains(where: { $0.spool.origin == database }) {
                return "another database of the settings is this one, or a copy of it: name each once"
            }
            return try await deliverAbandoned(for: database, &pace)
        } catch SpoolError.ofAnotherDatabase(let path, let origin) where path == spool.path {
            throw .ofAnotherDatabase(path: path, origin: origin)
        } catch {
            // If the database is unavailable, the rest stays in the spool.
            logger.debug("spool not delivered", metadata: ["error": "\(error)"])
            switch error {
            case let error as EventWriterError where error.isUnavailable: return nil
            case let error as PostgresError where error.isUnavailable: return nil
            case EventWriterError.overloaded, EventWriterError.closed: return nil
            default: return Complaints.reason(of: error)
            }
        }
    }

    /// Delivers what spools have that no daemon has open.
    ///
    /// - Returns: why one cannot be delivered; nil if none fails.
    private func deliverAbandoned(for database: DatabaseIdentity, _ pace: inout SpoolPace) async throws -> String? {
        var complaint: String?
        for place in [folder] + SpoolFolder.others(than: folder, in: root) {
            let isOwn = place == folder
            // In another folder it may be another database's.
            for spool in try Spool.abandoned(in: place, besides: spool.path, logger: logger)
            where isOwn || spool.origin != nil {
                do {
                    try await spool.claim(for: database)
                    try await deliver(spool, try await arrivals(from: database), &pace)
                } catch EventWriterError.partlyUnavailable {
                } catch SpoolError.ofAnotherDatabase(let path, let origin) {
                    if others.contains(where: { $0.spool.origin == origin }) { continue }
                    if try await deliverArrived(spool, from: origin) { continue }
                    guard isOwn || folder == root else { continue }
                    complaint =
                        "\(path) belongs to another database, \(origin): "
                        + "a daemon with that database and this folder delivers it"
                }
            }
        }
        return complaint
    }

    private func arrivals(from origin: DatabaseIdentity) async throws -> [Int32: Int32] {
        try await pool.withConnection { try AppDeparture.arrived(from: origin, on: $0) }
    }

    private static func renumbered(_ submissions: [Submission], _ numbers: [Int32: Int32]) -> [Submission] {
        guard !numbers.isEmpty else { return submissions }
        return submissions.map { submission in
            var submission = submission
            submission.appNumber = numbers[submission.appNumber] ?? submission.appNumber
            return submission
        }
    }

    private func store(_ submissions: [Submission]) async throws {
        let rest = others.isEmpty ? submissions : try await storingMoved(submissions)
        let departures = sink.departures
        // A request whose events were all deleted has nothing to store. One that an earlier version wrote may hold
        // secrets that this version knows.
        let submissions = rest.filter { !$0.events.isEmpty || !$0.rejections.isEmpty }
            .map(StoredText.submission).map(readByRules)
        if !submissions.isEmpty { _ = try await writer.store(contentsOf: submissions) }
        // The database takes writes. Whatever else waits need not hold up new events: the order does not matter.
        sink.markPresent(since: departures)
    }

    /// Stores what is of apps that have moved to another database of this daemon (docs/moving.md). If that database
    /// does not take it now, or the app has moved on from there to none of them, it is in the rest, which is refused
    /// here.
    ///
    /// - Returns: the rest.
    private func storingMoved(_ submissions: [Submission]) async throws -> [Submission] {
        let (moved, origin) = try await pool.withConnection {
            (try AppDeparture.moved(on: $0), try DatabaseIdentity.read($0))
        }
        var rest = submissions
        for other in others where rest.contains(where: { moved.contains($0.appNumber) }) {
            do {
                let numbers = try await other.pool.withConnection { connection in
                    let left = try AppDeparture.moved(on: connection)
                    return try AppDeparture.arrived(from: origin, on: connection)
                        .filter { moved.contains($0.key) && !left.contains($0.value) }
                }
                let arrived = Self.arrived(rest, numbers)
                guard !arrived.isEmpty else { continue }
                try await other.store(arrived)
                rest.removeAll { numbers[$0.appNumber] != nil }
            } catch {
                logger.debug("events of apps that have moved wait", metadata: ["error": "\(error)"])
            }
        }
        return rest
    }

    /// Those of some apps, with the numbers that these have in another database.
    private static func arrived(_ submissions: [Submission], _ numbers: [Int32: Int32]) -> [Submission] {
        renumbered(submissions.filter { numbers[$0.appNumber] != nil }, numbers)
    }

    private func readByRules(_ submission: Submission) -> Submission {
        let known = directory.contents
        var submission = submission
        submission.rulesVersion = known.rulesVersion(ofNumber: submission.appNumber)
        if let rules = known.rereading(ofNumber: submission.appNumber) {
            submission.events = submission.events.map(rules.read)
        }
        return submission
    }

    /// Delivers what a spool of another database has of apps that have come from there (docs/moving.md). Requests of
    /// others stay, and what lies behind them: it is stored, but not removed.
    ///
    /// - Returns: whether nothing is left.
    private func deliverArrived(_ spool: Spool, from origin: DatabaseIdentity) async throws -> Bool {
        let numbers = try await arrivals(from: origin)
        guard !numbers.isEmpty else { return false }
        var position: Int64 = 0
        var isWhole = true
        while !Task.isCancelled, let batch = try await spool.oldest(after: position) {
            let arrived = Self.arrived(batch.submissions, numbers)
            if !arrived.isEmpty { try await store(arrived) }
            isWhole = isWhole && arrived.count == batch.submissions.count
            if isWhole { try await spool.remove(through: batch.position) } else { position = batch.position }
            let events = arrived.reduce(0) { $0 + $1.events.count }
            if events > 0 { logger.notice("spool of another database delivered", metadata: ["events": "\(events)"]) }
        }
        return isWhole && !Task.isCancelled
    }

    private func deliver(_ spool: Spool, _ numbers: [Int32: Int32], _ pace: inout SpoolPace) async throws {
        var delivered = 0
        while !Task.isCancelled, let batch = try await spool.oldest(events: pace.events) {
            var rest = Self.renumbered(batch.submissions, numbers)
            while !rest.isEmpty {
                if Task.isCancelled { return }
                do {
                    try await store(pace.takeFirst(of: &rest))
                } catch {
                    pace.failed()
                    throw error
                }
            }
            // Not after each part: what is stored again is stored fast, and then the first new part would be too large.
            pace.succeeded()
            try await spool.remove(through: batch.position)
            delivered += batch.submissions.reduce(0) { $0 + $1.events.count }
        }
        // A deletion by `tributary` may have removed the last requests from the file (`SpoolFolder`).
        if !Task.isCancelled, spool.depth.batches > 0 { try await spool.recount() }
        if delivered > 0 { logger.notice("spool delivered", metadata: ["events": "\(delivered)"]) }
    }
}
