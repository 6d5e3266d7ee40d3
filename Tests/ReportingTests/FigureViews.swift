import Postgres
@testable import Reporting
import Storage
import Testing
import Time

/// Compares the views of one period with the reports over that range.
struct FigureViews {
    let app: App
    let granularity: String
    /// The period's first day, as `2026-01-31`.
    let start: String

    func expectReports(_ testing: FigureTesting) async throws {
        try await expect("totals", "report refs", "refs", testing, keeps: { $0["ref"] == "total" })
        try await expect("channels", "report channels", "channels", testing, keeps: { $0["channel"] != "total" })
        // A ref may be called "total", so only the last row is dropped.
        try await expect("refs", "report refs", "refs", testing, dropsLast: 1)
        try await expect("posts", "report posts", "posts", testing, dropsLast: 1)
        let properties = app.properties.filter { $0.kind != .conversion }.map { ($0.name, $0.valueLimit) }
        for (key, values) in ["app_version", "country", "language"].map({ ($0, 1_000) }) + properties {
            try await expect(
                "properties",
                "report breakdown",
                "breakdown",
                testing,
                ["by": key, "limit": String(values)],
                where: "property = '\(key)'",
                renamed: [key: "group_name"],
                dropsLast: 1
            )
        }
        for event in ["install", "conversion"] {
            for grouping in ["channel", "ref"] {
                try await expect(
                    "attribution",
                    "report attribution",
                    "attribution",
                    testing,
                    ["event": event, "by": grouping, "model": "all"],
                    where: "event = '\(event)' and grouping = '\(grouping)'",
                    renamed: ["group": "group_name"],
                    dropsLast: 1,
                    ofEach: "model"
                )
            }
        }
        for (funnel, report, steps) in [("funnel", "funnel", 3), ("installs", "installs", 4)] {
            for grouping in ["none", "channel", "ref"] {
                try await expect(
                    "funnels",
                    "report \(report)",
                    report,
                    testing,
                    ["by": grouping],
                    where: "funnel = '\(funnel)' and grouping = '\(grouping == "none" ? "all" : grouping)'",
                    renamed: ["group": "group_name", "name": "step_name"],
                    without: Set(["open", "dropped", "installs_injected"] + (grouping == "none" ? ["group"] : [])),
                    dropsLast: grouping == "none" ? 0 : steps
                )
            }
        }
        for grouping in ["none", "ref"] {
            try await expect(
                "viral",
                "report viral",
                "viral",
                testing,
                ["by": grouping],
                where: "grouping = '\(grouping == "none" ? "all" : grouping)'",
                renamed: ["group": "group_name"],
                without: grouping == "none" ? ["group"] : [],
                dropsLast: grouping == "none" ? 0 : 1
            )
        }
        let states = ["new", "returning", "resurrected", "dormant"]
        try await expect(
            "activity",
            "report activity",
            "activity",
            testing,
            ["period": granularity],
            renamed: Dictionary(uniqueKeysWithValues: states.map { ($0, "\($0)_people") }),
            without: ["period", "group", "complete"]
        )
        guard granularity != "month" else { return }
        let periods = granularity == "day" ? 30 : 8
        for grouping in ["none", "channel"] {
            try await expect(
                "retention",
                "report retention",
                "retention",
                testing,
                [
                    "cohort": "touch_in_range", "by": grouping, "period": granularity, "periods": String(periods),
                ],
                where: "grouping = '\(grouping == "none" ? "all" : grouping)'",
                renamed: ["group": "group_name"],
                without: Set(grouping == "none" ? ["group", "cohort"] : ["cohort"])
                    .union(["value", "cumulative_value", "value_per_person", "complete"]),
                dropsLast: grouping == "none" ? 0 : periods
            )
        }
    }

    /// - Parameters:
    ///   - renamed: columns of the report that have another name in the view.
    ///   - without: columns of the report that the view lacks.
    ///   - dropsLast: rows at the report's end, or at the end of each part of it, that the view lacks.
    ///   - part: the column whose values divide the report into parts.
    private func expect(
        _ view: String,
        _ what: String,
        _ report: String,
        _ testing: FigureTesting,
        _ parameters: [String: String] = [:],
        where condition: String = "true",
        renamed: [String: String] = [:],
        without: Set<String> = [],
        dropsLast: Int = 0,
        ofEach part: String? = nil,
        keeps: ([String: String]) -> Bool = { _ in true }
    ) async throws {
        let end = try #require(
            CalendarPeriod(rawValue: granularity).flatMap { granularity in
                CivilDate(start).map { granularity.next(after: $0).description }
            }
        )
        let request = try ReportRequest.parse(
            name: report,
            parameters: [("from", start), ("to", end)] + parameters.map { ($0.key, $0.value) },
            origin: .http,
            app: app,
            now: .now
        )
        let table = try await ReportRunner.run(request, on: testing.pool).table
        let names = table.columns.map(\.name)
        let columns = names.filter { !without.contains($0) }.filter { view != "totals" || $0 != "ref" }
        var rows = table.rows.map { row in
            Dictionary(uniqueKeysWithValues: zip(names, row.map { $0.plainText ?? "" }))
        }
        let parts = Dictionary(grouping: rows) { row in part.flatMap { row[$0] } ?? "" }
        rows = view == "totals" ? rows.suffix(1) : parts.values.flatMap { $0.dropLast(dropsLast) }
        let expected = rows.filter(keeps).map { row in columns.map { row[$0] ?? "" } }

        let selected = columns.map { "\(renamed[$0] ?? $0)::text" }.joined(separator: ", ")
        let told = try await testing.texts(
            """
            select \(selected) from bi.\(view)_by_\(granularity)
            where app_id = $1 and \(granularity) = $2 and \(condition)
            """,
            [.text(app.profile.id), .text(start)]
        )
        let comment = "\(app.profile.id): bi.\(view)_by_\(granularity) of \(start), \(what) \(parameters)"
        if told.isEmpty {
            // If nothing that counts happened, no figures are kept.
            let counts = ["people", "touches", "posts", "posted", "installs", "conversions", "credits", "active"]
            #expect(rows.allSatisfy { row in counts.allSatisfy { (Double(row[$0] ?? "") ?? 0) == 0 } }, "\(comment)")
        } else {
            #expect(told.sorted(by: Self.precede) == expected.sorted(by: Self.precede), "\(comment)")
        }
    }

    private static func precede(_ first: [String], _ second: [String]) -> Bool {
        first.lexicographicallyPrecedes(second)
    }
}
