import Events
import InboundLinks
@testable import Reporting
import Testing

/// Every report of random streams says what the brute-force reading of the contract says.
@Suite("Agreement with the oracle")
struct OracleAgreementTests {
    private func expectAgreement(_ asked: OracleQuestion, _ stream: RandomStream, seed: UInt64) throws {
        var questions = RandomQuestions(seed: seed ^ 0x5EED, stream: stream)
        let question = try asked.inZone(questions.zone())
        let request = try ReportRequest.parse(
            name: question.name,
            parameters: question.parameters,
            origin: .http,
            app: Asking.app(currency: RandomStream.currency),
            now: stream.now
        )
        let expected = question.answer(about: stream)
        let told = try Asking.rows(request, of: stream.events)
        #expect(told == expected, "seed \(seed): \(question.name) \(question.parameters)")
    }

    /// The stream of a seed with questions about it. Empty ranges are refused, and so are not asked.
    private func forEachStream(
        _ seeds: Range<UInt64>,
        _ body: (RandomStream, inout RandomQuestions, UInt64) throws -> Void
    ) throws {
        for seed in seeds {
            let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
            var questions = RandomQuestions(seed: seed, stream: stream)
            try body(stream, &questions, seed)
        }
    }

    private static let parts: [Range<UInt64>] = (0..<4).map { $0 * 150..<($0 + 1) * 150 }

    @Test(arguments: parts) func countsChannels(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            let query = questions.channels()
            if query.span.isEmpty { return }
            try expectAgreement(.channels(query), stream, seed: seed)
        }
    }

    @Test(arguments: parts) func countsRefs(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            let query = questions.refs()
            if query.span.isEmpty { return }
            try expectAgreement(.refs(query), stream, seed: seed)
        }
    }

    @Test(arguments: parts) func followsFunnels(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            let query = questions.funnel()
            if query.span.isEmpty || !query.hasGroups { return }
            try expectAgreement(.funnel(query), stream, seed: seed)
        }
    }

    @Test(arguments: parts) func followsInstalls(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            let query = questions.funnel()
            if query.span.isEmpty { return }
            try expectAgreement(.installs(query), stream, seed: seed)
        }
    }

    @Test(arguments: parts) func attributes(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            let query = questions.attribution()
            if query.span.isEmpty { return }
            try expectAgreement(.attribution(query), stream, seed: seed)
        }
    }

    @Test(arguments: parts) func countsPosts(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            let span = questions.span()
            if span.isEmpty { return }
            try expectAgreement(.posts(span, by: questions.period()), stream, seed: seed)
        }
    }

    @Test(arguments: parts) func countsWhoComesBack(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            let query = questions.retention()
            if query.span.isEmpty { return }
            try expectAgreement(.retention(query), stream, seed: seed)
        }
    }

    @Test(arguments: parts) func followsPaths(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            let query = questions.paths()
            if query.span.isEmpty { return }
            try expectAgreement(.paths(query), stream, seed: seed)
        }
    }

    @Test(arguments: parts) func followsStoriesBackToTheirPosts(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            let query = questions.viral()
            if query.span.isEmpty { return }
            try expectAgreement(.viral(query), stream, seed: seed)
        }
    }

    @Test(arguments: parts) func compares(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            let query = questions.compare()
            if query.funnel.span.isEmpty || !query.funnel.startsWithTouch { return }
            try expectAgreement(.compare(query), stream, seed: seed)
        }
    }
}

extension Oracle.Span {
    var isEmpty: Bool { from >= to }
}

extension Oracle.FunnelQuery {
    /// Other first steps than touches have no channel and the like; the product refuses to group by them, or has groups
    /// where the oracle has none (the platform of an authentication).
    var hasGroups: Bool {
        startsWithTouch || [.ungrouped, .day].contains(grouping)
    }

    var startsWithTouch: Bool {
        ["inbound_link", "touch", "link_click"].contains(steps[0])
    }
}
