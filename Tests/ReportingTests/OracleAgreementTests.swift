@testable import Reporting
import RandomTesting
import Testing

/// Every report over random streams equals the oracle's, which implements the definitions by brute force. Each is asked
/// of one fold over all people, and of three folds over a third of the people each, as when connections read disjoint
/// parts.
@Suite("Agreement with the oracle")
struct OracleAgreementTests {
    @Test(arguments: TestSeeds.seeds(200, in: 4)) func answersEveryQuestion(seeds: Range<UInt64>) throws {
        for seed in seeds { try expectAnswers(to: AskedStream(seed: seed)) }
    }

    /// `generations` only counts people of whom nobody else needs to know. Here are many, beside some who differ from
    /// them by one thing, and beside circles.
    @Test(arguments: TestSeeds.seeds(24, in: 4)) func answersGenerationsOfACrowd(seeds: Range<UInt64>) throws {
        let report = try #require(OracleReport.all["generations"])
        for seed in seeds {
            let stream = RandomStream.make(seed: seed).amongCrowd(seed: seed)
            var questions = RandomQuestions(seed: seed, stream: stream)
            var asked = report.ask(&questions) + report.ask(&questions)
            if let beside = report.askBesidePrevious { asked.append(beside(&questions)) }
            asked.removeAll(where: \.isRefused)
            for question in asked {
                asked.append(question.filtered(by: questions.conditions(question.keys)))
                if let alone = question.ofPeople(questions.deeds()) { asked.append(alone) }
            }
            try expectAnswers(to: AskedStream(seed: seed, stream: stream, questions: asked))
        }
    }

    private func expectAnswers(to asked: AskedStream) throws {
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
            #expect(merged.otherCurrencies == table.otherCurrencies, "seed \(asked.seed): \(question.text)")
            asked.expect(merged.rows, rows, question, "in memory, of three merged folds")
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
