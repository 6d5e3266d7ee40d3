import Events
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
import Time

/// What the report `links` adds to the figures of touches, which the oracle checks.
@Suite("The report of links")
struct LinksReportTests {
    private typealias E = OracleEvents

    private static func id(_ number: UInt64) -> String { EventID(high: 0, low: number).description }

    private static func click(_ number: UInt64, at seconds: Double, on link: String) -> Event {
        var touch = E.touch()
        touch.shortLink = link
        return E.event(number, at: seconds, click: id(number), .linkClick(touch))
    }

    @Test func addsRefsAndHits() async throws {
        try await FigureTesting.with { testing in
            let (app, database) = (try await testing.makeApp("app"), testing.database)
            let events = [
                // The app was there before the range that others are compared with.
                E.event(5, at: -E.day, user: "old", .appOpen),
                Self.click(1, at: 10, on: "go.example/b"), Self.click(2, at: 20, on: "go.example/b"),
                Self.click(3, at: 30, on: "go.example/gone"), E.event(4, at: 40, click: Self.id(1), E.install),
            ]
            try await testing.store(events, of: app)
            try await database.pool.withConnection { connection in
                try connection.executeScript(
                    """
                    insert into link (app_number, host, slug, ref, fallback, forward_query, append_click_id, disabled,
                        created_at, updated_at, revision, content_hash)
                    select app_number, 'go.example', slug, case slug when 'b' then '{gift,boast}' else '{}' end::text[],
                        'store', true, false, false, now(), now(), 1, 1
                    from (values (\(app.number), 'a'), (\(app.number), 'b'), (\(app.number), 'unseen'),
                        (\(app.number + 1), 'other')) as made (app_number, slug);
                    insert into link_hits (app_number, host, slug, day, preview, bot, head, prefetch, embed)
                    values
                        (\(app.number), 'go.example', 'a', '2026-01-05', 3, 4, 5, 6, 7),
                        (\(app.number), 'go.example', 'b', '2026-01-05', 1, 0, 0, 0, 0),
                        (\(app.number), 'go.example', 'b', '2026-01-06', 10, 20, 0, 0, 0),
                        (\(app.number), 'go.example', 'b', '2026-01-07', 100, 100, 0, 0, 0),
                        (\(app.number), 'go.example', 'b', '2026-01-04', 100, 100, 0, 0, 0),
                        (\(app.number), 'go.example', 'unseen', '2026-01-05', 0, 0, 9, 9, 9),
                        (\(app.number + 1), 'go.example', 'other', '2026-01-05', 8, 8, 0, 0, 0)
                    """
                )
            }
            let rows = [
                "go.example/b go.example gift,boast 2 2 11 20 1 0 0 0 0.333333 0.606061 1 0.500000",
                "go.example/gone go.example  1 1 0 0 0 0 0 0 0.000000 0.000000 0 0.000000",
                "go.example/a go.example  0 0 3 4 0 0 0 0 0.428571 0.571429 0 ",
                "total   3 3 14 24 1 0 0 0 0.341463 0.585366 1 0.333333",
            ]
            // A day counts if it begins in the range.
            for (from, to) in [
                ("2026-01-05", "2026-01-07"), ("2026-01-04T00:00:00.000001Z", "2026-01-06T00:00:00.000001Z"),
            ] {
                #expect(try await told(from, to, app, database) == rows, "\(from) to \(to)")
            }
            let none = ["total   0 0 0 0 0 0 0 0   0 "]
            #expect(try await told("2026-01-07T00:00:00.000001Z", "2026-01-08", app, database) == none)
            // The link without a click in this range has the clicks of the preceding one, and both have their hits.
            let beside = [
                "go.example/b go.example gift,boast 0 0 10 20 0 0 0 0 0.333333 0.666667 0  2 2 1 0 1 0 0 0 0.333333 0.000000 1 0.500000",
                "go.example/a go.example  0 0 0 0 0 0 0 0   0  0 0 3 4 0 0 0 0 0.428571 0.571429 0 ",
                "go.example/gone go.example  0 0 0 0 0 0 0 0   0  1 1 0 0 0 0 0 0 0.000000 0.000000 0 0.000000",
                "total   0 0 10 20 0 0 0 0 0.333333 0.666667 0  3 3 4 4 1 0 0 0 0.363636 0.363636 1 0.333333",
            ]
            let compared = try await told("2026-01-06", "2026-01-07", app, database, ["compare-previous": "true"])
            #expect(compared.sorted() == beside.sorted())
            #expect(compared.last == beside.last)
            // With a limit, the hits of links without a row are in (others), and both ranges show the same links.
            let limited = [
                "go.example/b go.example gift,boast 2 2 11 20 1 0 0 0 0.333333 0.606061 1 0.500000",
                "(others)   1 1 3 4 0 0 0 0 0.375000 0.500000 0 0.000000", rows[3],
            ]
            #expect(try await told("2026-01-05", "2026-01-07", app, database, ["limit": "1"]) == limited)
            let limitedBeside = [
                beside[0], "(others)   0 0 0 0 0 0 0 0   0  1 1 3 4 0 0 0 0 0.375000 0.500000 0 0.000000", beside[3],
            ]
            #expect(
                try await told(
                    "2026-01-06",
                    "2026-01-07",
                    app,
                    database,
                    ["compare-previous": "true", "limit": "1"]
                ) == limitedBeside
            )
        }
    }

    private func told(
        _ from: String,
        _ to: String,
        _ app: App,
        _ database: TestDatabase,
        _ more: KeyValuePairs<String, String> = [:]
    ) async throws -> [String] {
        let request = try ReportRequest.parse(
            name: "links",
            parameters: [("from", from), ("to", to)] + more.map { ($0.key, $0.value) },
            origin: .http,
            app: app,
            now: E.time(100 * E.day)
        )
        let table = try await ReportRunner.run(request, on: database.pool).table
        let shown = table.columns.indices.filter { !table.columns[$0].name.hasPrefix("change_") }
        return table.rows.texts.map { row in shown.map { row[$0] }.joined(separator: " ") }
    }
}
