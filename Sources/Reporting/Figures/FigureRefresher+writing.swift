import Time
import Postgres
import Storage
import Timelines

extension FigureRefresher {
    /// Replaces the rows of spans. Rows that have not changed are not written.
    ///
    /// - Returns: by table, the periods in which a row was written or deleted.
    func replace(
        _ spans: [FigureSpan],
        with figures: FigureRows,
        on connection: isolated PostgresConnection
    ) throws -> [FigureTable: Set<FigurePeriod>] {
        // The fold may have set the planner to look-ups, with which the statements would compare every old row with
        // every new one. The statements also name their periods as arrays, so that old rows are found by index.
        try ScanPlanning.byHash.apply(on: connection)
        let number = PostgresValue.int(Int64(app.number))
        try replacePeriods(spans, with: figures, on: connection)
        var written: [FigureTable: Set<FigurePeriod>] = [:]
        for family in FigureFamily.allCases {
            let periods = spans.filter { $0.family == family }.map { FigurePeriod($0) }
            guard !periods.isEmpty else { continue }
            for table in family.tables {
                let columns = (figures.tables[table] ?? FigureRows.Columns(table)).texts
                let rows = try connection.query(
                    table.replacement,
                    [
                        number, .textArray(periods.map(\.granularity.rawValue)),
                        .textArray(periods.map(\.start.description)),
                    ] + columns.map { .textArray($0) }
                )
                for row in rows {
                    guard let granularity = CalendarPeriod(rawValue: try row.text(0)),
                        let start = CivilDate(try row.text(1))
                    else { continue }
                    written[table, default: []].insert(FigurePeriod(granularity: granularity, start: start))
                }
            }
        }
        return written
    }

    private func replacePeriods(
        _ spans: [FigureSpan],
        with figures: FigureRows,
        on connection: isolated PostgresConnection
    ) throws {
        // Whatever starts a funnel or a retention cohort also counts for totals.
        let periods = spans.filter { $0.family == .totals }.map { FigurePeriod($0) }
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
    fileprivate var tables: [FigureTable] {
        switch self {
        case .totals: [.channel, .ref, .post, .attribution, .property]
        case .funnels: [.funnel]
        case .retention: [.retention]
        }
    }
}
