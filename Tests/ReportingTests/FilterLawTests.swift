@testable import Reporting
import RandomTesting
import Testing

/// "The figures of `--where k=v` are those of the row v of the same report `--by k`, total included."
@Suite("The law of filters")
struct FilterLawTests {
    private static let retention: [[String: String]] = [
        ["period": "week", "periods": "2"], ["cohort": "install", "periods": "1"],
        ["cohort": "conversion", "lookback": "90d", "periods": "1"], ["cohort": "authentication", "periods": "1"],
    ]
    private static let viral: [[String: String]] = [[:], ["within": "7d"]]

    @Test(arguments: EventGrouping.filterKeys(of: .touch)) func holdsInRetention(key: EventGrouping) throws {
        for parameters in Self.retention { try expectLaw(key.rawValue, of: "retention", parameters, group: 1) }
    }

    @Test(arguments: EventGrouping.filterKeys(of: .touch)) func holdsInActivity(key: EventGrouping) throws {
        for period in ["day", "week"] { try expectLaw(key.rawValue, of: "activity", ["period": period], group: 1) }
    }

    @Test(arguments: EventGrouping.filterKeys(of: .touch) + [.doubt])
    func holdsInGenerations(key: EventGrouping) throws {
        for depth in ["1", "10"] {
            try expectLaw(key.rawValue, of: "generations", ["depth": depth], group: 1, isAlwaysGrouped: true)
        }
    }

    @Test(arguments: PostKey.allCases) func holdsInViral(key: PostKey) throws {
        for parameters in Self.viral { try expectLaw(key.rawValue, of: "viral", parameters, group: 0) }
    }

    /// - Parameters:
    ///   - group: the column with the row's name.
    ///   - isAlwaysGrouped: whether the column is there only with `--by`.
    private func expectLaw(
        _ key: String,
        of report: String,
        _ parameters: [String: String],
        group: Int,
        isAlwaysGrouped: Bool = false
    ) throws {
        for seed in TestSeeds.seeds(10) {
            let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
            /// The cells beside the name, of rows that count anything. Those of `retention` begin with the cohort and
            /// the period.
            func figures(_ rows: [[String]], named name: String) -> [[String]] {
                rows.filter { Array($0[group].utf8) == Array(name.utf8) }
                    .map { row in row.indices.filter { $0 != group }.map { row[$0] } }
                    .filter { row in row.dropFirst(2 * group).contains { !["", "0", "true", "false"].contains($0) } }
            }
            let grouped = try rows(report, parameters, of: stream, [("by", key)])
            let names = Set(grouped.map { $0[group] })
            for name in names where !["direct", "total"].contains(name) {
                let filtered = try rows(
                    report,
                    parameters,
                    of: stream,
                    [("where", "\(key)=\(name)")] + (isAlwaysGrouped ? [("by", key)] : [])
                )
                #expect(
                    figures(filtered, named: "total") == figures(grouped, named: name),
                    "seed \(seed): \(report) \(parameters) where \(key)=\(name)"
                )
            }
        }
    }

    /// A post has one platform, one composer and one poster, so what it brought is in one row.
    @Test(arguments: ["platform", "composer", "poster", "poster,platform"])
    func addsUpToTheTotalOfViral(keys: String) throws {
        for seed in TestSeeds.seeds(10) {
            let stream = RandomStream.make(seed: seed)
            for parameters in Self.viral {
                let rows = try rows("viral", parameters, of: stream, [("by", keys)])
                let total = try #require(rows.last)
                // posts, touches, untraced_touches, installs, posts_with_installs
                for column in [1, 3, 5, 6, 9] {
                    let sum = rows.dropLast().reduce(0) { $0 + (Int($1[column]) ?? 0) }
                    #expect(String(sum) == total[column], "seed \(seed): \(keys) \(parameters), column \(column)")
                }
            }
        }
    }

    private func rows(
        _ report: String,
        _ parameters: [String: String],
        of stream: RandomStream,
        _ more: [(name: String, value: String)]
    ) throws -> [[String]] {
        let request = try ReportRequest.parse(
            name: report,
            parameters: OracleQuestion.range(Oracle.Span(from: stream.from, to: stream.to))
                + parameters.map { ($0.key, $0.value) } + more,
            origin: .http,
            app: Asking.app(properties: RandomStream.declared),
            now: stream.now
        )
        return try Asking.rows(request, of: stream.events)
    }
}
