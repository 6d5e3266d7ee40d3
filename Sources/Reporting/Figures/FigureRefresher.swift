import InboundLinks
import Time
package import Postgres
package import Storage
import Timelines

/// Keeps one app's figures in the database (`sql/migrations`, docs/bi.md) equal to its reports.
///
/// It works in two steps. A *change scan* finds the spans that events stored since the last scan may affect, and marks
/// them as stale. A *batch* computes some stale spans again and removes their marks. Each step is a transaction, so
/// nothing is lost if the process ends at any time. Only one refresher works on an app at a time: run both steps inside
/// ``whileAlone(waiting:on:_:)``.
package struct FigureRefresher: Sendable {
    /// Which stale figures a refresh computes.
    package enum Scope: Sendable {
        /// Only daily totals, which cost little.
        case days
        /// All figures, newest first.
        case all
    }

    /// The result of a batch.
    package struct Step: Equatable, Sendable {
        /// How many spans were computed.
        package var refreshed: Int
        /// How many spans of the scope are still stale.
        package var remaining: Int
        /// What was left out, because memory does not hold its groups.
        package var leftOut: Set<PeriodFigures> = []
    }

    /// How many days a batch of the scope `days` covers.
    private static let dayLimit = 31
    /// How many values of properties of people a batch may count, those of each of its periods.
    private static let valueLimit = 200_000

    /// How often a step may run that loses against a transaction that stores, packs or deletes events.
    static let attempts = 10

    let app: App
    let zone: ReportTimeZone
    private let memory: FigureMemory

    /// - Throws: `ReportError.usage` if the app's time zone is unknown.
    package init(app: App, memory: FigureMemory = FigureMemory()) throws(ReportError) {
        guard let zone = ReportTimeZone(app.profile.timeZone) else {
            throw .usage(
                message: "unknown time zone '\(app.profile.timeZone)' of the app '\(app.profile.id)'",
                field: "tz"
            )
        }
        self.app = app
        self.zone = zone
        self.memory = memory
    }

    // MARK: One at a time

    /// Runs work while no other refresher works on the app. The lock belongs to the session.
    ///
    /// - Parameter waiting: whether to wait for another refresher. If false and there is one, nil is returned.
    package func whileAlone<R>(
        waiting: Bool,
        on connection: isolated PostgresConnection,
        _ body: (isolated PostgresConnection) throws -> R
    ) throws -> R? {
        let lock = "tributary figures"
        return waiting
            ? try connection.withAdvisoryLock(lock, of: app.number) { try body(connection) }
            : try connection.withAdvisoryLockIfFree(lock, of: app.number) { try body(connection) }
    }

    // MARK: The change scan

    /// Marks the spans as stale that events stored since the last scan may affect.
    ///
    /// - Parameter fully: mark all spans, as after a change of the definitions.
    /// - Returns: whether any span was marked.
    @discardableResult
    package func scanChanges(fully: Bool = false, on connection: isolated PostgresConnection) throws -> Bool {
        try connection.transaction(isolation: .repeatableRead, attempts: Self.attempts) {
            try markChanges(fully: fully, on: connection)
        }
    }

    func markChanges(fully: Bool, on connection: isolated PostgresConnection) throws -> Bool {
        let number = PostgresValue.int(Int64(app.number))
        try FigureSession.prepare(connection)
        // As for reports (`ScanPlanning.byHash`). `select_changes.sql` says where it looks up by key.
        try connection.execute("select set_config('enable_nestloop', 'off', true)")
        let known = try properties(on: connection)
        let properties = known.map { "\($0.id):\($0.valueLimit)" }
        let scan = try ChangeScan(try connection.query(ReportSQL.selectLooked, [number])[0])
        let last = scan.last.flatMap { last in
            last.isValid && last.definition == FigureDefinitions.version && last.timeZone == app.profile.timeZone
                && last.currency == app.profile.currency && last.properties == properties && !fully ? last : nil
        }
        let hasPersonProperties = known.contains { $0.kind == .person }
        var affected = AffectedPeriods(
            zone: zone,
            newest: scan.newest,
            hasPersonProperties: hasPersonProperties
        )
        let changes =
            if let last {
                try connection.query(
                    ReportSQL.selectChanges,
                    [number, .int(last.horizon), .int(last.generation), .text(last.snapshot)]
                )
            } else {
                try connection.query(ReportSQL.selectActivity, [number])
            }
        for row in changes { affected.add(try Self.change(row)) }

        let through = last?.scannedAt ?? .min
        if last == nil {
            let families = FigureFamily.allCases.filter { $0 != .personProperties || hasPersonProperties }
            try connection.execute(ReportSQL.deleteDigests, [number])
            try connection.execute(
                FigureTable.markingAll,
                [number, .timestamp(microseconds: through), .textArray(families.map(\.rawValue))]
            )
        }
        try mark(affected.spans, completeThrough: through, on: connection)
        try connection.execute(
            ReportSQL.upsertLooked,
            [
                number, .int(Int64(FigureDefinitions.version)), .text(app.profile.timeZone),
                .text(app.profile.currency), .textArray(properties), .int(scan.horizon), .int(scan.generation),
                .text(scan.snapshot),
                .timestamp(microseconds: scan.scannedAt),
            ]
        )
        return last == nil || !affected.spans.isEmpty
    }

    /// Marks spans as stale.
    ///
    /// - Parameter through: the time of the change scan up to which their figures are complete, in microseconds.
    func mark(
        _ spans: Set<FigureSpan>,
        completeThrough through: Int64,
        on connection: isolated PostgresConnection
    ) throws {
        guard !spans.isEmpty else { return }
        try connection.execute(
            ReportSQL.markStale,
            [
                .int(Int64(app.number)), .textArray(spans.map(\.family.rawValue)),
                .textArray(spans.map(\.granularity.rawValue)), .textArray(spans.map(\.start.description)),
                .timestamp(microseconds: through),
            ]
        )
    }

    /// Reads a change. Its times are truncated to the hour.
    private static func change(_ row: PostgresRow) throws -> FigureChange {
        let kind = try row.text(0)
        guard let known = FigureChange.Kind(rawValue: kind) else { throw TimelineError.unknownLabel(kind) }
        let hour: Int64 = 3_600_000_000
        return FigureChange(
            kind: known,
            low: Timestamp(microseconds: try row.timestamp(1)),
            high: Timestamp(microseconds: try row.timestamp(2) + hour - 1)
        )
    }

    /// The declared properties that have figures: those of touches and people that all packed events have. For others,
    /// each batch would read the events themselves.
    private func properties(on connection: isolated PostgresConnection) throws -> [AppProperty] {
        try app.packedProperties(on: connection).filter { $0.kind != .conversion }
    }

    // MARK: Batches

    /// Computes the next stale spans.
    ///
    /// - Returns: nil if no span of the scope is stale.
    package func refreshNext(_ scope: Scope, on connection: isolated PostgresConnection) throws -> Step? {
        try connection.transaction(isolation: .repeatableRead, attempts: Self.attempts) {
            try computeNext(scope, on: connection)
        }
    }

    /// The same inside the caller's transaction.
    func computeNext(_ scope: Scope, on connection: isolated PostgresConnection) throws -> Step? {
        let stale = try staleSpans(scope, on: connection)
        let next = batch(of: stale, scope)
        guard !next.isEmpty else { return nil }
        let computed = try compute(next, on: connection)
        try connection.execute(
            ReportSQL.unmarkStale,
            [.int(Int64(app.number)), .textArray(next.map(\.mark))]
        )
        return Step(refreshed: next.count, remaining: stale.count - next.count, leftOut: computed.leftOut)
    }

    func staleSpans(_ scope: Scope, on connection: isolated PostgresConnection) throws -> [StaleSpan] {
        try connection.query(ReportSQL.selectStale, [.int(Int64(app.number))])
            .compactMap { row in
                guard let family = FigureFamily(rawValue: try row.text(0)),
                    let granularity = CalendarPeriod(rawValue: try row.text(1)),
                    let start = CivilDate(try row.text(2))
                else { return nil }
                let span = FigureSpan(family: family, granularity: granularity, start: start)
                let isWanted = scope == .all || family == .totals && granularity == .day
                return isWanted ? StaleSpan(span: span, mark: try row.text(3), since: try row.timestamp(4)) : nil
            }
    }

    /// Of the stale spans that have waited longest, those of the newest month, and all others of that month: spans that
    /// are close together need the same events. Spans that need all of history come by themselves: those of activity,
    /// and those of properties of people, as many as memory allows.
    func batch(of stale: [StaleSpan], _ scope: Scope) -> [StaleSpan] {
        let since = stale.lazy.map(\.since).min()
        let oldest = stale.filter { $0.since == since }
        guard let newest = oldest.lazy.filter({ !$0.span.family.comesAlone }).map(\.span.start).max() else {
            if let newest = oldest.lazy.filter({ $0.span.family == .activity }).map(\.span.start).max() {
                return stale.filter {
                    $0.span.family == .activity
                        && (0..<PeriodParameter.limit).contains(Int64(newest.number - $0.span.start.number))
                }
            }
            let values = app.properties.filter { $0.kind == .person }.reduce(1) { $0 + $1.valueLimit }
            let later = stale.filter { $0.span.family == .personProperties && $0.since != since }
            return Array((oldest + later).prefix(max(1, Self.valueLimit / values)))
        }
        let month = CalendarPeriod.month
        return stale.filter { stale in
            guard !stale.span.family.comesAlone else { return false }
            return switch scope {
            case .days: (0...Self.dayLimit).contains(newest.number - stale.span.start.number)
            case .all: month.start(of: stale.span.start) == month.start(of: newest)
            }
        }
    }

    /// What computing some spans did.
    struct Computed {
        /// Those of which a row was written or deleted.
        var written: Set<PeriodFigures> = []
        var leftOut: Set<PeriodFigures> = []

        static func += (computed: inout Computed, other: Computed) {
            computed.written.formUnion(other.written)
            computed.leftOut.formUnion(other.leftOut)
        }
    }

    /// Computes spans together, if memory holds them, else half of them after the other. A span alone is computed table
    /// by table. A table whose figures of one span are still too many gets none for it.
    ///
    /// If the texts are too many, fewer spans have as many, because whole months are read: all spans are computed table
    /// by table, and a table that shows so many texts gets figures for none of them.
    func compute(_ stale: [StaleSpan], on connection: isolated PostgresConnection) throws -> Computed {
        try compute(stale, of: try properties(on: connection), on: connection)
    }

    /// - Parameter table: the only one whose figures are computed; nil: all. If there is one, the spans are of its
    ///   family.
    private func compute(
        _ stale: [StaleSpan],
        of properties: [AppProperty],
        table: FigureTable? = nil,
        on connection: isolated PostgresConnection
    ) throws -> Computed {
        func apart() throws -> Computed {
            guard let table else {
                var computed = Computed()
                for (family, stale) in Dictionary(grouping: stale, by: \.span.family) {
                    for table in family.tables {
                        computed += try compute(stale, of: properties, table: table, on: connection)
                    }
                }
                return computed
            }
            return try leaveOut(stale.map(\.span), of: properties, table, on: connection)
        }
        do {
            return try computeTogether(stale, of: properties, table: table, on: connection)
        } catch TimelineError.tooManyPosts where stale.contains(where: { $0.span.family == .viral }) {
            let ofPosts = stale.map(\.span).filter { $0.family == .viral }
            var computed = try leaveOut(ofPosts, of: properties, .viral, on: connection)
            let others = stale.filter { $0.span.family != .viral }
            if !others.isEmpty { computed += try compute(others, of: properties, table: table, on: connection) }
            return computed
        } catch TimelineError.tooManyTexts {
            return try apart()
        } catch is FigureMemory.Exceeded {
            guard stale.count > 1 else { return try apart() }
            let middle = stale.count / 2
            var computed = try compute(Array(stale[..<middle]), of: properties, table: table, on: connection)
            computed += try compute(Array(stale[middle...]), of: properties, table: table, on: connection)
            return computed
        }
    }

    private func leaveOut(
        _ spans: [FigureSpan],
        of properties: [AppProperty],
        _ table: FigureTable,
        on connection: isolated PostgresConnection
    ) throws -> Computed {
        var computed = try replace(spans, with: nil, of: properties, tables: [table], on: connection)
        computed.leftOut = Set(spans.map { PeriodFigures(table, FigurePeriod($0)) })
        return computed
    }

    /// - Throws: `FigureMemory.Exceeded`; `TimelineError` if posts or texts are too many. The transaction goes on.
    private func computeTogether(
        _ stale: [StaleSpan],
        of properties: [AppProperty],
        table: FigureTable?,
        on connection: isolated PostgresConnection
    ) throws -> Computed {
        try FigureSession.prepare(connection)
        let spans = stale.map(\.span)
        let batch = try FigureBatch(
            spans,
            zone: zone,
            currency: app.profile.currency,
            properties: properties,
            of: table,
            memory: memory
        )
        guard let query = batch.query else { return Computed() }
        let rates = try ExchangeRates(of: app, for: query, on: connection)
        let firstEvent = try Freshness.firstEvent(of: app, on: connection)
        // What is too much is known in the middle of a statement, which then fails.
        let fold = try connection.savepoint {
            try FigureTimelines.fold(
                query,
                app: app,
                on: connection,
                making: { dictionary in
                    dictionary.rates = rates
                    return batch.makeFold(dictionary: dictionary, firstEvent: firstEvent, now: .now)
                },
                { fold, person in try fold.add(person) }
            )
        }
        let figures = try fold.finish()
        if let digests = figures.digests { try note(digests, computing: stale, on: connection) }
        return try replace(spans, with: figures, of: properties, tables: table.map { [$0] }, on: connection)
    }
}
