import Events
@testable import Reporting
import Testing
import Time

private typealias E = OracleEvents

/// The worked example of docs/architecture.md.
@Suite("The example report")
struct PlatformsReportTests {
    private func rows(folds count: Int) throws -> [[String]] {
        let events = [
            E.event(1, at: 0, user: "ann", platform: .ios, E.install),
            E.event(2, at: 5, user: "ann", platform: .web, E.conversion()),
            E.event(3, at: 9, user: "bob", platform: .ios, E.install),
            E.event(4, at: 11 * E.day, user: "cid", platform: .ios, E.install),
        ]
        var parameters = try ParameterReader([], report: PlatformsReport.name, allowed: [])
        let report = try PlatformsReport(reading: &parameters)
        let range = ReportRange(from: E.span.from, to: E.span.to)
        let timelines = MemoryTimelines(events, query: report.query(in: range))
        let zone = try #require(ReportTimeZone("UTC"))
        let run = ReportRun(
            range: range,
            zone: zone,
            now: E.time(20 * E.day),
            currency: "USD",
            dictionary: timelines.dictionary
        )
        var folds = (0..<count).map { _ in report.makeFold(run) }
        var number = 0
        try timelines.forEachPerson { person in
            folds[number % count].add(person)
            number += 1
        }
        var merged = folds[0]
        for fold in folds.dropFirst() { merged.merge(fold) }
        return merged.finish().map { row in row.map { $0.plainText ?? "" } }
    }

    @Test(arguments: [1, 2, 3])
    func countsAPersonOnceForEachPlatform(folds: Int) throws {
        #expect(try rows(folds: folds) == [["ios", "2"], ["android", "0"], ["web", "1"], ["desktop", "0"]])
    }
}
