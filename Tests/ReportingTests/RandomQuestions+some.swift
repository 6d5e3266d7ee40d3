import RandomTesting
@testable import Reporting
import Testing

extension RandomQuestions {
    /// Questions about a stream: at least two of each report, and each once more with conditions if its report takes
    /// any; some also about people alone who did something. Those that are refused are left out.
    static func some(seed: UInt64, stream: RandomStream) throws -> [OracleQuestion] {
        var questions = RandomQuestions(seed: seed, stream: stream)
        var asked: [OracleQuestion] = []
        for name in ReportCatalogue.names {
            let report = try #require(OracleReport.all[name], "the oracle knows no report \(name)")
            for _ in 0..<2 { asked += report.ask(&questions) }
            if let beside = report.askBesidePrevious, questions.random.chance(60) { asked.append(beside(&questions)) }
        }
        asked.removeAll(where: \.isRefused)
        asked += asked.compactMap { questions.filtered($0) }
        asked += asked.compactMap { questions.random.chance(30) ? $0.ofPeople(questions.deeds()) : nil }
        return try asked.map { try $0.inZone(questions.zone()) }
    }

    /// A question with conditions; nil if the report takes none.
    private mutating func filtered(_ question: OracleQuestion) -> OracleQuestion? {
        question.keys.isEmpty ? nil : question.filtered(by: conditions(question.keys))
    }
}

extension Oracle.FunnelQuery {
    /// Whether an event that starts a chain has the property of a grouping.
    func has(_ grouping: Oracle.Grouping) -> Bool {
        let starting = (order == .any ? steps : [steps[0]]).flatMap(Oracle.alternatives).map(Oracle.kind)
        return starting.contains(where: grouping.isPossible)
    }
}
