import Events
import Time
import InboundLinks

extension Oracle {
    struct PathsQuery {
        var span: Span
        var goal: String?
        var lookback: Duration = .days(7)
        /// The most paths shown; nil for all.
        var limit: Int?
    }

    /// `path, conversions, share, value`
    ///
    /// Chosen: a channel is repeated as often as it was touched. Conversions without a touch are in `direct`, which is
    /// shown if it is not empty, after the paths and beyond the limit; then comes `total`, with all conversions.
    func paths(_ query: PathsQuery) -> [[String]] {
        let conversions = facts.filter { fact in
            guard let conversion = fact.conversion, query.span.contains(fact.time) else { return false }
            return query.goal.map { Name($0) == Name(conversion.name) } ?? true
        }
        let byPath = Dictionary(grouping: conversions) { conversion in
            let touches = touches(before: conversion, lookback: query.lookback)
            let channels = touches.compactMap { $0.touch?.channel.rawValue }
            return channels.isEmpty ? Name.direct : Name(channels.joined(separator: " > "))
        }
        func row(_ name: Name, _ conversions: [Fact], of all: Int) -> [String] {
            [
                name.text, String(conversions.count), Cell.rate(conversions.count, of: all),
                Cell.amount(.sum(conversions.map(value))),
            ]
        }
        let paths = byPath.keys.filter { $0 != .direct }.sorted { first, second in
            let counts = (byPath[first]?.count ?? 0, byPath[second]?.count ?? 0)
            return counts.0 == counts.1 ? first < second : counts.0 > counts.1
        }
        let shown = paths.prefix(query.limit ?? paths.count) + (byPath[.direct] == nil ? [] : [.direct])
        return shown.map { row($0, byPath[$0] ?? [], of: conversions.count) }
            + [row(.total, conversions, of: conversions.count)]
    }
}
