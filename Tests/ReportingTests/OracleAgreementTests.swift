import Events
@testable import Reporting
import Testing
import Time

/// Every report over random streams equals the oracle's, which implements the definitions by brute force.
@Suite("Agreement with the oracle")
struct OracleAgreementTests {
    private func expectAgreement(_ asked: OracleQuestion, _ stream: RandomStream, seed: UInt64) throws {
        var questions = RandomQuestions(seed: seed ^ 0x5EED, stream: stream)
        try expectAgreement(on: try asked.inZone(questions.zone()), stream, seed: seed)
    }

    private func expectAgreement(on question: OracleQuestion, _ stream: RandomStream, seed: UInt64) throws {
        let request = try ReportRequest.parse(
            name: question.name,
            parameters: question.parameters,
            origin: .http,
            app: Asking.app(currency: RandomStream.currency),
            now: stream.now
        )
        let expected = question.answer(about: stream)
        let told = try Asking.rows(request, of: stream.events)
        if told == expected { return }
        // The first rows that differ, because tables may have thousands.
        let position = zip(told, expected).prefix { $0 == $1 }.count
        let rows = [told, expected].map { position < $0.count ? "\($0[position])" : "no row" }
        Issue.record(
            "seed \(seed): \(question.name) \(question.parameters), row \(position): \(rows[0]) is not \(rows[1])"
        )
    }

    /// Random streams with questions about them. Empty ranges are left out, because they are refused.
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

    @Test(arguments: parts) func breaksDown(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            for _ in 0..<3 {
                let query = questions.breakdown(Oracle.BreakdownKey.allCases)
                if query.span.isEmpty { continue }
                try expectAgreement(.breakdown(query), stream, seed: seed)
            }
        }
    }

    /// `--where`, on every report that takes it. Each seed asks as many questions as all other tests together.
    @Test(arguments: parts) func filters(seeds: Range<UInt64>) throws {
        for seed in seeds.prefix(50) {
            let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
            // Only a database answers `logins`.
            for question in try RandomQuestions.some(seed: seed, stream: stream)
            where question.isFiltered && question.name != "logins" {
                try expectAgreement(on: question, stream, seed: seed)
            }
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

    @Test(arguments: parts) func followsFunnelsOfEveryKind(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            for _ in 0..<4 {
                let query = questions.variedFunnel()
                let table = questions.funnelTable()
                if query.span.isEmpty || !query.hasGroups { continue }
                try expectAgreement(.funnel(query, table), stream, seed: seed)
            }
        }
    }

    @Test(arguments: parts) func followsInstallsOfEveryKind(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            let query = questions.variedFunnel()
            let table = questions.funnelTable()
            if query.span.isEmpty { return }
            try expectAgreement(.installs(query, table), stream, seed: seed)
        }
    }

    /// docs/reports.md states the rules twice: in short, and, for other orders and limits, in a complete form. Both say
    /// the same.
    @Test(arguments: parts) func readsTheRulesInBothForms(seeds: Range<UInt64>) throws {
        forEachPlainChain(seeds) { short, exact, seed in
            #expect(short.times == exact.times && short.canGetOn == exact.canGetOn, "seed \(seed)")
        }
    }

    private func forEachPlainChain(
        _ seeds: Range<UInt64>,
        _ body: (Oracle.FunnelChain, Oracle.FunnelChain, UInt64) -> Void
    ) {
        for seed in seeds {
            let stream = RandomStream.make(seed: seed)
            var questions = RandomQuestions(seed: seed, stream: stream)
            let query = questions.funnel()
            let facts = Oracle(events: stream.events, currency: RandomStream.currency).facts
            for (person, history) in Dictionary(grouping: facts, by: \.person) where person != nil {
                for start in history where Oracle.serves(start, step: query.steps[0]) {
                    let short = Oracle.FunnelChain(from: start, query, history: history)
                    body(short, Oracle.FunnelChain(choosingFrom: start, query, history: history), seed)
                }
            }
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

    @Test(arguments: parts) func countsLinks(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            let query = questions.links()
            if query.span.isEmpty { return }
            try expectAgreement(.links(query), stream, seed: seed)
        }
    }

    @Test(arguments: parts) func comparesWithThePrecedingRange(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            for _ in 0..<3 {
                guard let question = questions.besidePrevious(now: stream.now) else { continue }
                try expectAgreement(question, stream, seed: seed)
            }
        }
    }

    @Test(arguments: parts) func countsGoals(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            let span = questions.span()
            if span.isEmpty { return }
            try expectAgreement(.goals(span), stream, seed: seed)
            let conditions = questions.conditions([.platform])
            try expectAgreement(.goals(span).filtered(by: conditions), stream, seed: seed)
        }
    }

    @Test(arguments: parts) func compares(seeds: Range<UInt64>) throws {
        try forEachStream(seeds) { stream, questions, seed in
            let query = questions.compare()
            if query.funnel.span.isEmpty || !query.funnel.has(query.grouping == .ref ? .ref : .channel) { return }
            try expectAgreement(.compare(query), stream, seed: seed)
        }
    }
}

extension Oracle.Span {
    var isEmpty: Bool { from >= to }
}

extension Oracle.FunnelQuery {
    /// Whether an event that starts a chain has the properties of the groupings. Others are refused.
    var hasGroups: Bool { groupings.allSatisfy(has) }

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
