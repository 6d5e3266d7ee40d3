import Events
@testable import Reporting
import Storage
import Testing
import Time

/// People may be divided among several folds, as when connections read disjoint parts. Merged folds give the same
/// report.
@Suite("Merged folds")
struct FoldMergeTests {
    private func mergedRows<R: Report>(
        _ report: R,
        _ request: ReportRequest,
        _ timelines: MemoryTimelines
    ) throws -> [[ReportCell]] {
        let run = request.run(dictionary: timelines.dictionary)
        var folds = (0..<3).map { _ in report.makeFold(run) }
        var number = 0
        try timelines.forEachPerson { person in
            folds[number % 3].add(person)
            number += 1
        }
        var merged = folds[2]
        merged.merge(folds[0])
        merged.merge(folds[1])
        return try merged.finish()
    }

    @Test(
        arguments: [
            ("channels", [:]), ("refs", [:]), ("funnel", ["by": "ref"]), ("funnel", ["by": "day"]),
            ("funnel", ["by": "channel,ref", "order": "any"]), ("funnel", ["by": "ref", "times": "true"]),
            ("funnel", ["by": "ref,day", "order": "strict", "compare-previous": "true"]),
            ("installs", ["by": "channel", "exclude": "feed_post", "step-window": "1:1h"]),
            ("installs", ["by": "channel"]), ("attribution", ["model": "all", "by": "ref"]), ("posts", [:]),
            ("attribution", ["event": "install"]), ("retention", ["by": "platform"]),
            ("retention", ["cohort": "install", "by": "channel", "period": "month", "compare-previous": "true"]),
            ("channels", ["compare-previous": "true"]), ("viral", ["within": "1d", "matured": "on"]), ("paths", [:]),
            ("compare", ["a": "gift", "b": "boast,Zeta"]), ("channels", ["by": "day"]), ("refs", ["by": "week"]),
            ("posts", ["by": "month"]), ("viral", [:]), ("viral", ["by": "channel"]),
            ("links", [:]), ("breakdown", ["by": "ref,poster", "limit": "2"]), ("attribution", ["by": "target_url"]),
            ("channels", ["where": "ref=gift,(none)"]),
            ("refs", ["where": "ref!=gift"]), ("links", ["where": "paid=false"]),
            ("funnel", ["by": "link_form", "where": "target_url=https://example.com/*"]),
            ("goals", [:]), ("logins", [:]),
        ] as [(String, [String: String])]
    )
    func sayTheSame(name: String, parameters: [String: String]) throws {
        for seed in 0..<60 as Range<UInt64> {
            let stream = RandomStream.make(seed: seed)
            let request = try ReportRequest.parse(
                name: name,
                parameters: OracleQuestion.range(Oracle.Span(from: stream.from, to: stream.to))
                    + parameters.map { ($0.key, $0.value) },
                origin: .http,
                app: Asking.app(),
                now: stream.now
            )
            let timelines = MemoryTimelines(stream.events, query: request.query)
            let whole = try request.table(over: timelines).rows
            #expect(try mergedRows(request.report, request, timelines) == whole, "seed \(seed)")
        }
    }
}
