import InboundLinks
@testable import Reporting

/// A question as the oracle takes it and, in words, as the product does.
struct OracleQuestion {
    let name: String
    let parameters: [(name: String, value: String)]
    let answer: (Oracle) -> [[String]]

    static func channels(_ query: Oracle.ChannelsQuery) -> Self {
        Self(
            name: "channels",
            parameters: range(query.span) + goal(query.goal) + [("lookback", text(query.lookback))],
            answer: { $0.channels(query) }
        )
    }

    static func refs(_ query: Oracle.RefsQuery) -> Self {
        Self(
            name: "refs",
            parameters: range(query.span) + goal(query.goal) + [("lookback", text(query.lookback))],
            // The oracle lists a ref that was touched but not last; the product shows refs where some count is not zero.
            answer: { oracle in oracle.refs(query).filter { isAlwaysShown($0) || !isZero($0) } }
        )
    }

    static func funnel(_ query: Oracle.FunnelQuery) -> Self {
        Self(
            name: "funnel",
            parameters: range(query.span) + [
                ("steps", query.steps.joined(separator: ",")), ("by", query.grouping.rawValue),
                ("window", text(query.window)),
            ],
            answer: { $0.funnel(query) }
        )
    }

    static func installs(_ query: Oracle.FunnelQuery) -> Self {
        Self(
            name: "installs",
            parameters: range(query.span) + [("by", query.grouping.rawValue), ("window", text(query.window))],
            answer: { $0.installs(query) }
        )
    }

    static func attribution(_ query: Oracle.AttributionQuery) -> Self {
        let goal = query.credited == .conversion ? goal(query.goal) : []
        return Self(
            name: "attribution",
            parameters: range(query.span) + goal + [
                ("event", query.credited.rawValue), ("by", query.grouping.rawValue),
                ("model", query.models.map(\.rawValue).joined(separator: ",")), ("lookback", text(query.lookback)),
            ],
            answer: { $0.attribution(query) }
        )
    }

    static func posts(_ span: Oracle.Span) -> Self {
        Self(name: "posts", parameters: range(span), answer: { $0.posts(span) })
    }

    static func retention(_ query: Oracle.RetentionQuery) -> Self {
        Self(
            name: "retention",
            parameters: range(query.span) + [
                ("period", query.period.rawValue), ("periods", String(query.periods.upperBound)),
                ("by", query.grouping.rawValue),
            ],
            answer: { $0.retention(query) }
        )
    }

    static func paths(_ query: Oracle.PathsQuery) -> Self {
        Self(
            name: "paths",
            parameters: range(query.span) + goal(query.goal) + [
                ("lookback", text(query.lookback)), ("limit", String(query.limit ?? 1000)),
            ],
            answer: { $0.paths(query) }
        )
    }

    static func compare(_ query: Oracle.CompareQuery) -> Self {
        Self(
            name: "compare",
            parameters: range(query.funnel.span) + [
                ("a", query.a), ("b", query.b), ("by", query.grouping.rawValue),
                ("steps", query.funnel.steps.joined(separator: ",")), ("window", text(query.funnel.window)),
            ],
            answer: { $0.compare(query) }
        )
    }

    private static func isAlwaysShown(_ row: [String]) -> Bool {
        ["(none)", "direct", "total"].contains(row[0])
    }

    private static func isZero(_ row: [String]) -> Bool {
        row.dropFirst().allSatisfy { $0 == "0" || $0.isEmpty }
    }

    static func range(_ span: Oracle.Span) -> [(name: String, value: String)] {
        [("from", span.from.rfc3339), ("to", span.to.rfc3339)]
    }

    static func goal(_ goal: String?) -> [(name: String, value: String)] {
        goal.map { [("goal", $0)] } ?? []
    }

    static func text(_ duration: Duration) -> String {
        "\(duration.components.seconds)s"
    }
}
