import Events
@testable import Reporting
import Storage
import Testing

/// A random stream with questions about it. It is made once, the oracle answers each question once, and the same rows
/// are expected wherever and however the question is asked.
struct AskedStream {
    let seed: UInt64
    let stream: RandomStream
    let questions: [OracleQuestion]

    init(seed: UInt64, stream: RandomStream, questions: [OracleQuestion]) {
        self.seed = seed
        self.stream = stream
        self.questions = questions
    }

    init(seed: UInt64) throws {
        let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
        self.init(seed: seed, stream: stream, questions: try RandomQuestions.some(seed: seed, stream: stream))
    }

    /// The oracle's rows for each question about the stream's events, or about what is left of them.
    func answers(about events: [Event]) -> [[[String]]] {
        let oracle = Oracle(events: events, currency: RandomStream.currency)
        return questions.map { $0.answer(by: oracle, now: stream.now) }
    }

    func request(_ question: OracleQuestion, to app: App) throws -> ReportRequest {
        // Reports are exact before a declaration is stored, too: they read the events themselves.
        var app = app
        app.properties = RandomStream.declared
        return try ReportRequest.parse(
            name: question.name,
            parameters: question.parameters,
            origin: .http,
            app: app,
            now: stream.now
        )
    }

    /// Whether the database answers a question about stored events as the oracle does, and as memory: not if it
    /// compares with a range that began before the first event.
    func isComparable(_ question: OracleQuestion, about events: [Event]) throws -> Bool {
        var request = try request(question, to: Asking.app())
        request.firstEvent = Oracle.stored(of: events).filter { !Oracle.isTestTraffic($0) }.map(\.occurredAt).min()
        return request.previous == request.comparedRange
    }

    /// Names the first row that differs, because tables may have thousands.
    ///
    /// - Parameter way: where and how the question was asked.
    func expect<Row: Equatable>(
        _ told: [Row],
        _ expected: [Row],
        _ question: OracleQuestion,
        _ way: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        if told == expected { return }
        let position = zip(told, expected).prefix { $0 == $1 }.count
        let rows = [told, expected].map { position < $0.count ? "\($0[position])" : "no row" }
        Issue.record(
            "seed \(seed), \(way): \(question.text), row \(position): \(rows[0]) is not \(rows[1])",
            sourceLocation: location
        )
    }
}

extension [[ReportCell]] {
    /// Empty cells are "", and p-values have the digits that two ways of computing them share.
    var texts: [[String]] {
        map { row in
            row.map { cell in
                if case .probability(let value) = cell { return Oracle.Cell.probability(value) }
                return cell.plainText ?? ""
            }
        }
    }
}
