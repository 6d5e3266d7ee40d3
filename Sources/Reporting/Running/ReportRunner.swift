package import Postgres
import Storage
import Synchronization
import Timelines

/// Runs reports on the database.
package enum ReportRunner {
    /// Runs a report over all events committed before the call, in one snapshot.
    ///
    /// - Parameter connections: how many of the pool's connections may share the report. It waits for one of them, and
    ///   uses others only while no other use waits for them.
    /// - Throws: `PostgresError`, of kind `cancelled` if the task is cancelled; `TimelineError`.
    package static func run(
        _ request: ReportRequest,
        on pool: PostgresPool,
        connections: Int = 2
    ) async throws -> ReportResult {
        try await run(request, on: pool, ScanSharing(connections: connections))
    }

    static func run(
        _ request: ReportRequest,
        on pool: PostgresPool,
        _ sharing: ScanSharing
    ) async throws -> ReportResult {
        try await run([request], on: pool, sharing)[0]
    }

    /// Runs reports of one app together: in one snapshot, and in one pass over the timelines that reads what any of
    /// them needs.
    ///
    /// - Parameter connections: as for one report.
    /// - Returns: the results, in the order of the requests. The warnings of values that occur nowhere are each in the
    ///   first result whose request names the value.
    package static func run(
        _ requests: [ReportRequest],
        on pool: PostgresPool,
        connections: Int
    ) async throws -> [ReportResult] {
        try await run(requests, on: pool, ScanSharing(connections: connections))
    }

    static func run(
        _ requests: [ReportRequest],
        on pool: PostgresPool,
        _ sharing: ScanSharing
    ) async throws -> [ReportResult] {
        // Before the snapshot is taken: see `StandbyPosition.read`.
        let (standby, requests) = try await pool.withConnection { connection in
            (try StandbyPosition.read(connection), try requests.readingApp(on: connection))
        }
        let pass = RequestPass(requests)
        var results: [ReportResult] = []
        for (request, counted) in zip(requests, try await counted(pass, sharing, on: pool)) {
            var rows = counted.rows
            if let report = request.report as? any AmendedReport {
                rows = try await pool.withConnection {
                    try amended(counted.rows, by: report, request, with: counted.answers, on: $0)
                }
            }
            var result = ReportResult(request: request, table: request.table(of: rows))
            result.standby = standby
            result.warnings = currencyWarnings(of: result.table) + [ReportWarning(of: request)].compactMap(\.self)
            result.warnings += request.report.warnings(of: result.table.rows)
            result.warnings += [request.costs.flatMap(ReportWarning.init(of:))].compactMap(\.self)
            results.append(result)
        }
        for (index, warnings) in try await warnings(of: requests, on: pool, sharing).enumerated() {
            results[index].warnings += warnings
        }
        return results
    }

    /// Each connection waits inside its transaction while others read parts of the plan, which may take minutes if
    /// nothing is cached. Their own limits bound this time.
    private static let waiting = ["set local idle_in_transaction_session_timeout = 0"]

    /// What each request counted, and what it reads that is not in timelines: for each counted range, the rows of each
    /// statement. Reads packed timelines on several connections, if there are many events and other connections are
    /// free.
    static func counted(
        _ pass: RequestPass,
        _ sharing: ScanSharing,
        on pool: PostgresPool
    ) async throws -> [(rows: CountedRows, answers: [[PostgresRow]])] {
        do {
            return try await read(pass, sharing, on: pool)
        } catch {
            throw pass.requests[0].size.told(error)
        }
    }

    private static func read(
        _ pass: RequestPass,
        _ sharing: ScanSharing,
        on pool: PostgresPool
    ) async throws -> [(rows: CountedRows, answers: [[PostgresRow]])] {
        let scan = ParallelScan(sharing)
        let held = HeldSizes()
        return try await withThrowingTaskGroup(of: PartialReport?.self) { group in
            for _ in 1..<sharing.connections {
                group.addTask { try await assistance(for: pass, scan, held, on: pool) }
            }
            defer { scan.withdraw() }
            let read = try await pool.withConnection { connection in
                try connection.transaction(isolation: .repeatableRead, readOnly: true, opening: waiting) {
                    let outcome = try Outcome.read(pass, sharing: scan, held, on: connection)
                    return (outcome: outcome, answers: try pass.requests.map { try answers(of: $0, on: connection) })
                }
            }
            scan.withdraw()
            var others: [PartialReport] = []
            while others.count < scan.assistants, let part = try await group.next() {
                if let part { others.append(part) }
            }
            // What is left waits for a connection.
            group.cancelAll()
            return Array(zip(try read.outcome.finish(with: others), read.answers))
        }
    }

    private static func answers(
        of request: ReportRequest,
        on connection: isolated PostgresConnection
    ) throws -> [[PostgresRow]] {
        let statements = request.statements
        guard !statements.isEmpty else { return [] }
        try ScanPlanning.byHash.apply(on: connection)
        return try statements.map { Array(try connection.query($0.text)) }
    }

    /// Lets a report add its facts to the rows of each range.
    private static func amended(
        _ counted: CountedRows,
        by report: any AmendedReport,
        _ request: ReportRequest,
        with answers: [[PostgresRow]],
        on connection: isolated PostgresConnection
    ) throws -> CountedRows {
        let ranges = request.countedRanges
        let size = answers.count / ranges.count
        let rows = [counted.rows] + [counted.previous].compactMap(\.self)
        let tables = try ranges.indices.map { index in
            let other = index == 0 ? counted.previous : counted.rows
            let own = Array(answers.dropFirst(index * size).prefix(size))
            return try report.amended(rows[index], beside: other, about: ranges[index], with: own, on: connection)
        }
        var counted = counted
        counted.rows = tables[0]
        if tables.count > 1 { counted.previous = tables[1] }
        return counted
    }

    private enum Outcome: Sendable {
        case whole([CountedRows])
        /// The part that this connection has read.
        case part(PartialReport)

        static func read(
            _ pass: RequestPass,
            sharing scan: ParallelScan,
            _ held: HeldSizes,
            on connection: isolated PostgresConnection
        ) throws -> Outcome {
            let texts = TimelineDictionary.makeSharedTexts()
            let packed = try PackedSnapshot.read(pass.query, app: pass.app, texts: texts, on: connection)
            guard let packed else {
                return try TimelineScan.read(pass.query, app: pass.app, on: connection) { source in
                    let dictionary = source.dictionary
                    var folds = pass.makeFolds(dictionary)
                    var checks = SizeChecks()
                    try source.forEachPerson { person in
                        folds.add(person)
                        if checks.areDue(after: person) { try folds.check(dictionary, groups: folds.heldSize) }
                    }
                    try folds.check(dictionary, groups: folds.heldSize, growing: false)
                    return .whole(try folds.finish())
                }
            }
            // A standby exports no snapshot, and that of a Citus coordinator does not bind the workers: there, one
            // connection reads everything.
            let name =
                !connection.isDistributed && scan.readers(of: packed) > 1
                ? try connection.query("select pg_export_snapshot() where not pg_is_in_recovery()").first?.text(0) : nil
            scan.begin(packed, exportedAs: name)
            defer { scan.awaitImporters() }
            return .part(try ReportRunner.read(pass, packed, scan, held, on: connection))
        }

        func finish(with assistance: [PartialReport]) throws -> [CountedRows] {
            switch self {
            case .whole(let rows): return rows
            case .part(let part): return try part.finish(with: assistance)
            }
        }
    }

    /// What another connection has read; nil if none has joined the scan.
    private static func assistance(
        for pass: RequestPass,
        _ scan: ParallelScan,
        _ held: HeldSizes,
        on pool: PostgresPool
    ) async throws -> PartialReport? {
        guard let offer = await scan.offer() else { return nil }
        let hasJoined = Atomic(false)
        do {
            return try await pool.withConnection(isSpare: true) { connection in
                try connection.transaction(isolation: .repeatableRead, readOnly: true, opening: waiting) {
                    guard try join(scan, offer, on: connection) else { return nil }
                    hasJoined.store(true, ordering: .relaxed)
                    return try read(pass, offer.snapshot, scan, held, on: connection) { pool.usage.waiting > 0 }
                }
            }
        } catch  where !hasJoined.load(ordering: .relaxed) {
            // The server may have no connection left. The reports go on without this one.
            return nil
        }
    }

    /// - Returns: false if the scan needs no further connection.
    private static func join(
        _ scan: ParallelScan,
        _ offer: ParallelScan.Offer,
        on connection: isolated PostgresConnection
    ) throws -> Bool {
        guard scan.beginImport() else { return false }
        do {
            try connection.executeScript("set transaction snapshot '\(offer.name)'")
        } catch {
            scan.endImport(hasJoined: false)
            throw error
        }
        scan.endImport(hasJoined: true)
        return true
    }

    /// Reads parts of the plan, then folds buckets, until none is left.
    ///
    /// - Parameters:
    ///   - held: by all connections.
    ///   - yields: whether to leave the rest to the other connections.
    private static func read(
        _ pass: RequestPass,
        _ snapshot: PackedSnapshot,
        _ scan: ParallelScan,
        _ held: HeldSizes,
        on connection: isolated PostgresConnection,
        yields: () -> Bool = { false }
    ) throws -> PartialReport {
        var reader = PackedReader(try scan.plan(of: snapshot, on: connection))
        defer { reader.deallocate() }
        let dictionary = reader.dictionary
        var folds = pass.makeFolds(dictionary)
        var checks = SizeChecks()
        while !yields(), let buckets = scan.nextBuckets() {
            try reader.read(buckets, on: connection) { person in
                folds.add(person)
                guard checks.areDue(after: person) else { return }
                try folds.check(dictionary, groups: checks.average(folds.heldSize, among: held))
            }
        }
        try folds.check(dictionary, groups: checks.average(folds.heldSize, among: held), growing: false)
        return PartialReport(folds: folds, reassigned: reader.drainReassigned())
    }
}

/// Requests of one app that are counted in one pass.
struct RequestPass: Sendable {
    let requests: [ReportRequest]
    let app: App
    /// All that any of them needs.
    let query: TimelineQuery

    /// - Parameter requests: at least one.
    init(_ requests: [ReportRequest]) {
        precondition(requests.allSatisfy { $0.app.number == requests[0].app.number }, "Requests of several apps")
        self.requests = requests
        app = requests[0].app
        var query = requests.dropFirst().reduce(requests[0].query) { $0.union($1.query) }
        query.postLimit = AnswerSize.held
        query.textLimit = AnswerSize.texts
        self.query = query
    }

    func makeFolds(_ dictionary: TimelineDictionary) -> [any RequestCounting] {
        requests.map { $0.makeFold(dictionary) }
    }
}

extension ReportRequest {
    /// What the report reads that is not in timelines, range by range.
    fileprivate var statements: [BoundStatement] {
        guard let report = report as? any AmendedReport else { return [] }
        return countedRanges.flatMap { report.statements(about: $0) }
    }

    /// The report's SQL with its parameters, as a script for psql (`--sql`).
    package var sqlScript: String { TimelineSettings(query, app: app).script(with: statements) }
}
