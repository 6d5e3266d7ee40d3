import Events
import PostgresTesting
@testable import Reporting
import Storage
import Testing
import Time
@testable import Timelines

/// If a range begins or ends at the ends of RFC 3339's years, reports read beyond them.
@Suite("Ranges at the ends of the calendar")
struct CalendarEndTests {
    private typealias E = OracleEvents

    private static let ranges = [
        ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"), ("0001-01-01", "2026-02-01"),
        ("2026-01-01", "9999-12-31"), ("0001-01-01", "0001-01-02"), ("9999-12-30", "9999-12-31"),
    ]

    @Test(arguments: [false, true]) func areAnswered(isPacked: Bool) async throws {
        let events = [
            E.event(1, at: 0, user: "ann", .inboundLink(E.touch(refs: ["gift"]))),
            E.event(2, at: 60, user: "ann", E.install),
            E.event(3, at: 2 * E.day, user: "ann", E.conversion()),
        ]
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            try await testing.store(events, of: app)
            if isPacked {
                try await testing.pool.passHorizon()
                try await TimelinePacker(app: app, pool: testing.pool).rebuild()
            }
            for (from, to) in Self.ranges {
                for sample in CatalogueSample.shortest {
                    if sample.report == ActivityReport.name, from.prefix(4) != to.prefix(4) {
                        // It has a row for each day.
                        #expect(throws: ReportError.self) { try sample.request(of: app, [("from", from), ("to", to)]) }
                        continue
                    }
                    let request = try sample.request(of: app, [("from", from), ("to", to)])
                    let table = try await ReportRunner.run(request, on: testing.pool).table
                    var asked = request
                    asked.firstEvent = E.time(0)
                    // In memory, it is compared all the same.
                    guard asked.previous == asked.comparedRange else { continue }
                    let told = table.rows.texts
                    let expected = try Asking.rows(request, of: events)
                    #expect(told == expected, "\(sample.report) from \(from) to \(to)")
                }
            }
        }
    }
}
