@testable import Reporting
import RandomTesting
import Testing

/// Every report over random streams equals the oracle's, which implements the definitions by brute force. Each is asked
/// of one fold over all people, and of three folds over a third of the people each, as when connections read disjoint
/// parts.
@Suite("Agreement with the oracle")
struct OracleAgreementTests {
    @Test(arguments: TestSeeds.seeds(200, in: 4)) func answersEveryQuestion(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let asked = try AskedStream(seed: seed)
            let events = MemoryEvents(asked.stream.events)
            let app = Asking.app(currency: RandomStream.currency)
            for (question, answer) in zip(asked.questions, asked.answers(about: asked.stream.events)) {
                let request = events.telling(try asked.request(question, to: app))
                // Moving sums depend on when the app began.
                if question.name == "activity", request.firstEvent == nil { continue }
                let timelines = MemoryTimelines(events, query: request.query)
                let table = try request.table(over: timelines)
                let rows = table.rows
                if question.place != .database { asked.expect(rows.texts, answer, question, "in memory") }
                let merged = try mergedTable(request, timelines)
                #expect(merged.otherCurrencies == table.otherCurrencies, "seed \(seed): \(question.text)")
                asked.expect(merged.rows, rows, question, "in memory, of three merged folds")
            }
        }
    }

    private func mergedTable(_ request: ReportRequest, _ timelines: MemoryTimelines) throws -> ReportTable {
        var folds = (0..<3).map { _ in request.makeFold(timelines.dictionary) }
        var number = 0
        try timelines.forEachPerson { person in
            folds[number % 3].add(person)
            number += 1
        }
        var merged = folds[2]
        merged.merge(folds[0])
        merged.merge(folds[1])
        return request.table(of: try merged.finish())
    }
}
