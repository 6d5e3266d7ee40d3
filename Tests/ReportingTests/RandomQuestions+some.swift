@testable import Reporting

extension RandomQuestions {
    /// Questions about a stream: at least two of each report, and each once more with conditions if its report takes
    /// any. Those that are refused are left out.
    static func some(seed: UInt64, stream: RandomStream) throws -> [OracleQuestion] {
        var questions = RandomQuestions(seed: seed, stream: stream)
        var asked: [OracleQuestion] = []
        for _ in 0..<2 {
            asked += [
                .channels(questions.channels()), .refs(questions.refs()), .links(questions.links()),
                .funnel(questions.funnel()), .funnel(questions.variedFunnel(), questions.funnelTable()),
                .funnel(questions.variedFunnel(), questions.funnelTable()), .installs(questions.funnel()),
                .installs(questions.variedFunnel(), questions.funnelTable()), .compare(questions.compare()),
                .attribution(questions.attribution()), .paths(questions.paths()), .retention(questions.retention()),
                .posts(questions.span(), by: questions.period()), .viral(questions.viral()),
                .breakdown(questions.breakdown()), questions.besidePrevious(now: stream.now),
                .goals(questions.span()), .logins(questions.span()),
            ]
        }
        asked += [
            .breakdown(questions.breakdown(with: .post)), questions.besidePrevious(now: stream.now),
            .besidePrevious(questions.span(), Oracle.RowNames(keys: [0], counts: [1, 2, 3])) { .goals($0) },
            .besidePrevious(questions.span(), Oracle.RowNames(keys: [0, 1], counts: [2, 3])) { .logins($0) },
        ]
        asked.removeAll(where: \.isRefused)
        return try (asked + asked.compactMap { questions.filtered($0) }).map { try $0.inZone(questions.zone()) }
    }

    /// A question with conditions; nil if the report takes none.
    private mutating func filtered(_ question: OracleQuestion) -> OracleQuestion? {
        question.keys.isEmpty ? nil : question.filtered(by: conditions(question.keys))
    }
}

extension Oracle.FunnelQuery {
    /// Whether an event that starts a chain has the property of a grouping.
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
