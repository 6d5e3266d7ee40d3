@testable import Reporting

extension RandomQuestions {
    /// Questions about a stream: at least two of each report, and each once more with conditions if its report takes
    /// any. Those that are refused are left out.
    static func some(seed: UInt64, stream: RandomStream) throws -> [OracleQuestion] {
        var questions = RandomQuestions(seed: seed, stream: stream)
        var asked: [OracleQuestion] = []
        for _ in 0..<2 {
            let (channels, refs, funnel) = (questions.channels(), questions.refs(), questions.funnel())
            if !channels.span.isEmpty { asked.append(.channels(channels)) }
            if !refs.span.isEmpty { asked.append(.refs(refs)) }
            if !funnel.span.isEmpty {
                asked.append(.installs(funnel))
                if funnel.hasGroups { asked.append(.funnel(funnel)) }
            }
            for _ in 0..<2 {
                let (varied, table) = (questions.variedFunnel(), questions.funnelTable())
                if varied.span.isEmpty { continue }
                asked.append(varied.hasGroups ? .funnel(varied, table) : .installs(varied, table))
            }
            let (varied, table) = (questions.variedFunnel(), questions.funnelTable())
            if !varied.span.isEmpty { asked.append(.installs(varied, table)) }
            let (attribution, retention, paths) = (questions.attribution(), questions.retention(), questions.paths())
            if !attribution.span.isEmpty { asked.append(.attribution(attribution)) }
            if !retention.span.isEmpty { asked.append(.retention(retention)) }
            if !paths.span.isEmpty { asked.append(.paths(paths)) }
            let (compare, span) = (questions.compare(), questions.span())
            if !compare.funnel.span.isEmpty, compare.funnel.has(compare.grouping == .ref ? .ref : .channel) {
                asked.append(.compare(compare))
            }
            if !span.isEmpty { asked.append(.posts(span, by: questions.period())) }
            let (viral, breakdown, links) = (questions.viral(), questions.breakdown(), questions.links())
            if !viral.span.isEmpty { asked.append(.viral(viral)) }
            if !breakdown.span.isEmpty { asked.append(.breakdown(breakdown)) }
            if !links.span.isEmpty { asked.append(.links(links)) }
            if let previous = questions.besidePrevious(now: stream.now) { asked.append(previous) }
        }
        let posts = questions.breakdown(with: .post)
        if !posts.span.isEmpty { asked.append(.breakdown(posts)) }
        if let previous = questions.besidePrevious(now: stream.now) { asked.append(previous) }
        return try (asked + asked.compactMap { questions.filtered($0) }).map { try $0.inZone(questions.zone()) }
            + goalsAndLogins(seed: seed, stream: stream)
    }

    private static func goalsAndLogins(seed: UInt64, stream: RandomStream) throws -> [OracleQuestion] {
        var questions = RandomQuestions(seed: seed ^ 0x601A, stream: stream)
        let span = questions.span()
        if span.isEmpty { return [] }
        let goals = Oracle.RowNames(keys: [0], counts: [1, 2, 3])
        let logins = Oracle.RowNames(keys: [0, 1], counts: [2, 3])
        let asked: [OracleQuestion] = [
            .goals(span), .besidePrevious(span, goals) { .goals($0) },
            .logins(span), .besidePrevious(span, logins) { .logins($0) },
        ]
        return try (asked + asked.compactMap { questions.filtered($0) }).map { try $0.inZone(questions.zone()) }
    }

    /// A question with conditions; nil if the report takes none.
    mutating func filtered(_ question: OracleQuestion) -> OracleQuestion? {
        question.keys.isEmpty ? nil : question.filtered(by: conditions(question.keys))
    }
}

extension Oracle.Span {
    var isEmpty: Bool { from >= to }
}

extension Oracle.FunnelQuery {
    /// Whether an event that starts a chain has the properties of the groupings. Others are refused.
    fileprivate var hasGroups: Bool { groupings.allSatisfy(has) }

    func has(_ grouping: Oracle.Grouping) -> Bool {
        let starting = (order == .any ? steps : [steps[0]]).flatMap(Oracle.alternatives)
        switch grouping {
        case .ungrouped, .day, .platform: return true
        case .ref where starting.contains("feed_post"): return true
        case .ref, .channel, .refererApp, .targetURL, .link, .authenticated, .deferred, .paid, .linkForm:
            return starting.contains { ["inbound_link", "touch", "link_click"].contains($0) }
        }
    }
}
