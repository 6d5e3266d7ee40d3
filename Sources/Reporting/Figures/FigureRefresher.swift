import InboundLinks
import Time
package import Postgres
package import Storage
import Timelines

/// Keeps the figures of one app in the database (`sql/migrations`, docs/bi.md) equal to its reports.
///
/// In two steps. A *look* finds which spans the events stored since the last look may have touched, and marks them as stale.
/// A *batch* makes some stale spans again and takes the marks away. Each is a transaction, so that an end at any time loses
/// nothing. One refresher works on an app at a time: run both inside ``whileAlone(waiting:on:_:)``.
package struct FigureRefresher: Sendable {
    /// How much of what is stale a refresh makes anew.
    package enum Scope: Sendable {
        /// Only what costs little: what the last day's events count for.
        case days
        /// Everything, newest first.
        case all
    }

    /// What a batch did.
    package struct Step: Equatable, Sendable {
        /// Spans that were made.
        package var refreshed: Int
        /// Spans of the scope that are still stale.
        package var remaining: Int
    }

    /// Days of one batch of the scope `days`.
    private static let dayLimit = 31

    let app: App
    let zone: ReportTimeZone

    /// - Throws: `ReportError.usage` where the app's time zone is none.
    package init(app: App) throws(ReportError) {
        guard let zone = ReportTimeZone(app.profile.timeZone) else {
            throw .invalid("tz", "unknown time zone '\(app.profile.timeZone)' of the app '\(app.profile.id)'")
        }
        self.app = app
        self.zone = zone
    }

    // MARK: One at a time

    /// Runs work while no other refresher works on the app. The lock is the session's.
    ///
    /// - Parameter waiting: whether to wait for another; else nil is returned where there is one.
    package func whileAlone<R>(
        waiting: Bool,
        on connection: isolated PostgresConnection,
        _ body: (isolated PostgresConnection) throws -> R
    ) throws -> R? {
        let number: [PostgresValue] = [.int(Int64(app.number))]
        let key = "hashtextextended('tributary figures', $1::integer)"
        if waiting {
            try connection.execute("select pg_advisory_lock(\(key))", number)
        } else if try !connection.query("select pg_try_advisory_lock(\(key))", number)[0].bool(0) {
            return nil
        }
        defer { _ = try? connection.execute("select pg_advisory_unlock(\(key))", number) }
        return try body(connection)
    }

    // MARK: Looking

    /// Marks as stale what the events stored since the last look may have touched. - Returns: whether there was anything.
    ///
    /// - Parameter afresh: mark everything, as after a change of the definitions.
    @discardableResult
    package func scanChanges(afresh: Bool = false, on connection: isolated PostgresConnection) throws -> Bool {
        try connection.transaction(isolation: .repeatableRead) {
            try markChanges(afresh: afresh, on: connection)
        }
    }

    func markChanges(afresh: Bool, on connection: isolated PostgresConnection) throws -> Bool {
        let number = PostgresValue.int(Int64(app.number))
        try FigureSession.prepare(connection)
        // As for reports (`ScanPlanning.byHash`); `select_changes.sql` says where it looks up by key.
        try connection.execute("select set_config('enable_nestloop', 'off', true)")
        let look = try ChangeScan(try connection.query(StoredSQL.selectLooked, [number])[0])
        let last = look.last.flatMap { last in
            last.isValid && last.definition == FigureDefinitions.version && last.timeZone == app.profile.timeZone
                && last.currency == app.profile.currency && !afresh ? last : nil
        }
        var reach = AffectedPeriods(zone: zone, newest: look.newest)
        let changes =
            if let last {
                try connection.query(
                    StoredSQL.selectChanges,
                    [number, .int(last.horizon), .int(last.generation), .text(last.snapshot)]
                )
            } else {
                try connection.query(StoredSQL.selectActivity, [number])
            }
        for row in changes { reach.add(try Self.change(row)) }

        let through = PostgresValue.timestamp(microseconds: last?.lookedAt ?? .min)
        if last == nil { try connection.execute(StoredSQL.markAllStale, [number, through]) }
        if !reach.spans.isEmpty {
            let spans = Array(reach.spans)
            try connection.execute(
                StoredSQL.markStale,
                [
                    number, .textArray(spans.map(\.family.rawValue)), .textArray(spans.map(\.granularity.rawValue)),
                    .textArray(spans.map(\.start.description)), through,
                ]
            )
        }
        try connection.execute(
            StoredSQL.upsertLooked,
            [
                number, .int(Int64(FigureDefinitions.version)), .text(app.profile.timeZone),
                .text(app.profile.currency), .int(look.horizon), .int(look.generation), .text(look.snapshot),
                .timestamp(microseconds: look.lookedAt),
            ]
        )
        return last == nil || !reach.spans.isEmpty
    }

    /// Instants come cut down to the hour.
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

    // MARK: Making

    /// Makes the next stale spans. - Returns: nil where none of the scope is stale.
    package func refreshNext(_ scope: Scope, on connection: isolated PostgresConnection) throws -> Step? {
        try connection.transaction(isolation: .repeatableRead) {
            try makeNext(scope, on: connection)
        }
    }

    /// The same in the transaction at hand.
    func makeNext(_ scope: Scope, on connection: isolated PostgresConnection) throws -> Step? {
        let stale = try staleSpans(scope, on: connection)
        let next = Self.batch(of: stale, scope)
        guard !next.isEmpty else { return nil }
        _ = try make(next.map(\.span), on: connection)
        try connection.execute(
            StoredSQL.unmarkStale,
            [.int(Int64(app.number)), .textArray(next.map(\.mark))]
        )
        return Step(refreshed: next.count, remaining: stale.count - next.count)
    }

    func staleSpans(
        _ scope: Scope,
        on connection: isolated PostgresConnection
    ) throws -> [(span: FigureSpan, mark: String)] {
        try connection.query(StoredSQL.selectStale, [.int(Int64(app.number))])
            .compactMap { row in
                guard let family = FigureFamily(rawValue: try row.text(0)),
                    let granularity = FigureGranularity(rawValue: try row.text(1)),
                    let start = CivilDate(try row.text(2))
                else { return nil }
                let span = FigureSpan(family: family, granularity: granularity, start: start)
                let isWanted = scope == .all || family == .totals && granularity == .day
                return isWanted ? (span, try row.text(3)) : nil
            }
    }

    /// Of the newest month: what lies together needs the same events.
    static func batch(
        of stale: [(span: FigureSpan, mark: String)],
        _ scope: Scope
    ) -> [(span: FigureSpan, mark: String)] {
        guard let newest = stale.map(\.span.start).max() else { return [] }
        let month = FigureGranularity.month.start(of: newest)
        let limit = scope == .days ? CivilDate(number: newest.number - dayLimit) : month
        return stale.filter { $0.span.start >= limit }
    }

    /// - Returns: the periods of which a row was written or deleted, by table.
    func make(
        _ spans: [FigureSpan],
        on connection: isolated PostgresConnection
    ) throws -> [FigureTable: Set<FigurePeriod>] {
        try FigureSession.prepare(connection)
        let batch = try FigureBatch(spans, zone: zone, currency: app.profile.currency)
        guard let query = batch.query else { return [:] }
        let fold = try FigureTimelines.fold(
            query,
            app: app,
            on: connection,
            making: { batch.makeFold(dictionary: $0, now: .now) },
            { fold, person in fold.add(person) }
        )
        let figures = try fold.finish()
        return try replace(spans, with: figures, on: connection)
    }
}
