import Time
import Postgres
import Storage
import Timelines

extension FigureRefresher {
    /// Replaces the rows of spans. Rows that have not changed are not written.
    ///
    /// - Parameters:
    ///   - figures: nil if the spans have none.
    ///   - properties: the declared properties that have figures.
    ///   - tables: those whose rows are replaced; nil: all.
    func replace(
        _ spans: [FigureSpan],
        with figures: FigureRows?,
        of properties: [AppProperty],
        tables: [FigureTable]?,
        on connection: isolated PostgresConnection
    ) throws -> Computed {
        // The fold may have set the planner to look-ups, with which the statements would compare every old row with
        // every new one. The statements also name their periods as arrays, so that old rows are found by index.
        try ScanPlanning.byHash.apply(on: connection)
        let number = PostgresValue.int(Int64(app.number))
        let ofPeople = PostgresValue.textArray(properties.filter { $0.kind == .person }.map(\.name))
        var computed = Computed()
        for family in FigureFamily.allCases {
            let periods = spans.filter { $0.family == family }.map { FigurePeriod($0) }
            guard !periods.isEmpty else { continue }
            for table in family.tables where tables?.contains(table) ?? true {
                let columns = (figures?.tables[table] ?? FigureRows.Columns(table)).texts
                let rows = try connection.query(
                    table.replacement(for: family),
                    [
                        number, .textArray(periods.map(\.granularity.rawValue)),
                        .textArray(periods.map(\.start.description)), ofPeople,
                    ] + columns.map { .textArray($0) }
                )
                for row in rows {
                    guard let granularity = CalendarPeriod(rawValue: try row.text(0)),
                        let start = CivilDate(try row.text(1))
                    else { continue }
                    computed.written.insert(
                        PeriodFigures(table, FigurePeriod(granularity: granularity, start: start))
                    )
                }
            }
        }
        if let figures { try replacePeriods(spans, with: figures, on: connection) }
        return computed
    }

    /// Keeps the digests of days, and marks the periods as stale whose people have other values than when their figures
    /// were computed.
    ///
    /// - Parameter stale: the spans that have just been computed with these values.
    func note(
        _ digests: [Int: Int64],
        computing stale: [StaleSpan],
        on connection: isolated PostgresConnection
    ) throws {
        let number = PostgresValue.int(Int64(app.number))
        let rows = try connection.query(ReportSQL.selectDigests, [number])
        let removed = try rows.first?.optionalTimestamp(0).map { zone.day(of: Timestamp(microseconds: $0 - 1)) }
        var kept: [Int: Int64] = [:]
        for row in rows {
            guard let day = try row.optionalText(1).flatMap({ CivilDate($0) }) else { continue }
            kept[day.number] = try row.int64(2)
        }
        let days = Set(kept.keys).union(digests.keys).filter { kept[$0, default: 0] != digests[$0, default: 0] }
        let spans = ValueDigests.spans(of: days, removedThrough: removed)
        // Until the first of the changes that these spans wait for, all figures were complete.
        if let since = stale.lazy.map(\.since).min() {
            try mark(spans.subtracting(stale.lazy.map(\.span)), completeThrough: since, on: connection)
        }
        try connection.execute(
            ReportSQL.upsertDigests,
            [
                number, .textArray(days.map { CivilDate(number: $0).description }),
                .textArray(days.map { String(digests[$0, default: 0]) }),
            ]
        )
    }

    private func replacePeriods(
        _ spans: [FigureSpan],
        with figures: FigureRows,
        on connection: isolated PostgresConnection
    ) throws {
        // Whatever starts a funnel or a retention cohort also counts for totals. Who is active may do nothing else.
        let periods = spans.filter(\.family.makesPeriods).map { FigurePeriod($0) }
        guard !periods.isEmpty else { return }
        let present = Array(figures.periods)
        try connection.execute(
            ReportSQL.replaceFiguresPeriods,
            [
                .int(Int64(app.number)), .textArray(periods.map(\.granularity.rawValue)),
                .textArray(periods.map(\.start.description)),
                .textArray(present.map(\.key.granularity.rawValue)), .textArray(present.map(\.key.start.description)),
                .textArray(present.map(\.value.from.rfc3339)), .textArray(present.map(\.value.to.rfc3339)),
            ]
        )
    }
}

extension FigureFamily {
    var tables: [FigureTable] {
        switch self {
        case .totals: [.channel, .ref, .post, .attribution, .property]
        case .personProperties: [.property]
        case .funnels: [.funnel]
        case .retention: [.retention]
        case .viral: [.viral]
        case .activity: [.activity]
        }
    }
}
