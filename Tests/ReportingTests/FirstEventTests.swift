import Events
import InboundLinks
@testable import Reporting
import Testing

/// Growth against days on which there was no app says nothing.
@Suite("Comparing with days before the first event")
struct FirstEventTests {
    private typealias E = OracleEvents

    private static func tap(_ number: UInt64, at seconds: Double) -> Event {
        E.event(number, at: seconds, user: "user-\(number)", .inboundLink(E.touch(.search)))
    }

    @Test func leavesTheColumnsEmptyAndSaysWhy() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("young")
            func told(_ report: String, _ own: [(name: String, value: String)] = []) async throws -> ReportResult {
                let request = try ReportRequest.parse(
                    name: report,
                    parameters: [("from", "2026-01-07"), ("to", "2026-01-09"), ("compare-previous", "true")] + own,
                    origin: .http,
                    app: app,
                    now: E.time(100 * E.day)
                )
                return try await ReportRunner.run(request, on: testing.pool)
            }
            func figures(_ result: ReportResult, _ row: String) throws -> [String: ReportCell] {
                let cells = try #require(result.table.rows.first { $0.contains(.text(row)) })
                let names = result.table.columns.map(\.name)
                return Dictionary(zip(names, cells)) { first, _ in first }
            }
            // The range before begins on the 5th, the app on the 6th.
            try await testing.store([Self.tap(1, at: E.day), Self.tap(2, at: 2 * E.day)], of: app)
            let channels = try await told("channels")
            let search = try figures(channels, "search")
            #expect(search["touches"] == .integer(1))
            #expect(search["previous_touches"] == .empty && search["previous_value"] == .empty)
            #expect(search["change_touches"] == .empty && search["change_share_touches"] == .empty)
            #expect(
                channels.warnings.map { $0.message.text(for: .http) } == [
                    "compare-previous: no comparison: the app's first event is of 2026-01-06 00:00, and the range before "
                        + "begins at 2026-01-05 00:00"
                ]
            )
            #expect(channels.text(as: .json).contains(#""previous_touches": null"#))
            for report in ["funnel", "installs"] {
                let steps = try await told(report)
                let total = try figures(steps, "total")
                #expect(total["previous_people"] == .empty && total["difference"] == .empty)
                #expect(steps.table.rows.allSatisfy { $0.count == steps.table.columns.count })
                #expect(steps.warnings.count == 1)
            }
            // With an event before, the same days are days without touches.
            try await testing.store([Self.tap(3, at: -1)], of: app)
            let older = try await told("channels")
            #expect(try figures(older, "search")["previous_touches"] == .integer(1))
            #expect(older.warnings.isEmpty)
            // Who came earlier has had more time to return at all, not to return in a period.
            let after = try await told("retention", [("return", "after")])
            #expect(after.warnings.map(\.parameter) == ["compare-previous"])
            #expect(try await told("retention", [("return", "within")]).warnings.isEmpty)
            // A third touch in the range is three times as many: 200 % more.
            try await testing.store([Self.tap(4, at: 2 * E.day), Self.tap(5, at: 2 * E.day)], of: app)
            let more = try await told("channels")
            #expect(try figures(more, "search")["change_touches"] == .integer(2))
            #expect(try figures(more, "search")["change_share_touches"] == .fraction(millionths: 2_000_000))
            #expect(more.text(as: .table).contains(" 2 (200.00%)") && !more.text(as: .table).contains("change_share"))
        }
    }
}
