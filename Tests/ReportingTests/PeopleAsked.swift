import Events
import InboundLinks
import Postgres
import RandomTesting
@testable import Reporting
@testable import Storage
import Testing
import Time
@testable import Timelines

/// A question for the people behind a figure.
struct PeopleAsked {
    let question: OracleQuestion
    let which: String
    let now: Timestamp
    /// Whom the oracle says are behind the figure, by row; nil where the figure itself counts people.
    var oraclePeople: ((Oracle) -> [Oracle.Name: Set<Oracle.Person>])?

    var text: String { "\(question.text) --people \(which)" }

    /// One of each report or more, some with conditions.
    static func some(seed: UInt64, _ stream: RandomStream) throws -> [PeopleAsked] {
        var questions = RandomQuestions(seed: seed, stream: stream)
        var asked: [PeopleAsked] = []
        func add(
            _ question: OracleQuestion,
            _ figures: [String],
            _ people: ((Oracle, Oracle.Credited) -> [Oracle.Name: Set<Oracle.Person>])? = nil
        ) throws {
            let conditions =
                questions.random.chance(40) && !question.keys.isEmpty ? questions.conditions(question.keys) : []
            let question = try (conditions.isEmpty ? question : question.filtered(by: conditions))
                .inZone(questions.zone())
            if question.isRefused { return }
            let which = questions.random.pick(figures)
            var one = PeopleAsked(question: question, which: which, now: stream.now)
            if let people, let credited = Oracle.Credited(rawValue: String(which.dropLast())) {
                one.oraclePeople = { people($0.filtered(by: conditions), credited) }
            }
            asked.append(one)
        }
        let lastTouch = ["touches", "installs", "conversions"]
        for _ in 0..<2 {
            let channels = questions.channels()
            try add(
                .channels(channels),
                lastTouch,
                channels.period != nil
                    ? nil
                    : { oracle, credited in
                        oracle.people(credited, channels.goal, channels.span, channels.lookback, by: .channel)
                    }
            )
            let refs = questions.refs()
            try add(
                .refs(refs),
                lastTouch + ["posters"],
                refs.period != nil || refs.limit != nil
                    ? nil
                    : { oracle, credited in
                        oracle.people(credited, refs.goal, refs.span, refs.lookback, by: .ref)
                    }
            )
            let links = questions.links()
            try add(
                .links(links),
                lastTouch,
                links.limit != nil
                    ? nil
                    : { oracle, credited in
                        oracle.people(credited, links.goal, links.span, links.lookback, by: .link, amongLinks: true)
                    }
            )
            try add(.breakdown(questions.breakdown()), lastTouch)
            for funnel in [questions.funnel(), questions.variedFunnel()] {
                for question in [OracleQuestion.funnel(funnel), .installs(funnel)] {
                    let count = question.name == "installs" ? 4 : funnel.steps.count
                    let step = Int(questions.random.next() % UInt64(count)) + 1
                    try add(
                        question,
                        step == 1 ? ["1:reached"] : ["reached", "dropped", "open"].map { "\(step):\($0)" }
                    )
                }
            }
            var retention = questions.retention()
            retention.periods = [questions.random.pick([1, 2, 7])]
            try add(.retention(retention), ["retained", "absent"])
            try add(.viral(questions.viral()), ["posters", "installs"])
            try add(.activity(questions.activity()), ActivityReport.peopleFigures)
        }
        return asked
    }

    func request(
        _ app: App,
        people: Bool = true,
        group: String? = nil,
        limit: String? = nil
    ) throws -> ReportRequest {
        try ReportRequest.parse(
            name: question.name,
            parameters: question.parameters.filter { limit == nil || $0.name != "least" }
                .map { ($0.name, $0.name == "limit" ? limit ?? $0.value : $0.value) }
                + (people ? [("people", which)] : []) + (group.map { [("group", $0)] } ?? []),
            origin: .http,
            app: app,
            now: now
        )
    }

    /// A list, without the default choice of rows: with totals, too.
    struct Listed {
        /// As the list shows them, without totals if there are other rows.
        var rows: [[String]]
        /// The keys of the people of each row.
        var people: [Oracle.Name: Set<[UInt8]>]
        /// In millionths × `CreditUnits`.
        var values: [Oracle.Name: Int128]
    }

    /// - Parameter group: the only row that is listed; nil for all.
    func list(of events: MemoryEvents, app: App, group: String? = nil) throws -> Listed {
        let request = try request(app, group: group)
        let report = try #require(request.report as? any PeopleReport)
        return try list(report, request, MemoryTimelines(events, query: request.query))
    }

    private func list<R: PeopleReport>(
        _ report: R,
        _ request: ReportRequest,
        _ timelines: MemoryTimelines
    ) throws -> Listed {
        let asked = try #require(request.people)
        var keys: [[UInt8]] = []
        let (evidence, rows) = try PeopleRunner.evidence(of: asked.figure, report, request, timelines.dictionary) {
            body in
            try timelines.forEachPerson { person in
                keys.append(person.key)
                try body(person)
            }
        }
        var listed = Listed(rows: [], people: [:], values: [:])
        var sorted = try SortedEvidence(evidence.store, in: evidence.positions(of: rows, among: rows), runSize: 5)
        var cells: [(row: Int, first: Int64, key: [UInt8], cells: [String])] = []
        let areTotals = rows.allSatisfy(\.isTotal)
        while let one = try sorted.next() {
            let row = rows[Int(one.group)]
            let key = keys[Int(one.person)]
            let name = Oracle.Name(row.name)
            #expect(listed.people[name, default: []].insert(key).inserted)
            listed.values[name, default: 0] += one.value
            guard asked.lists(row, areTotals: areTotals) else { continue }
            let kinds: [UInt8: String] = [117: "user", 100: "device", 99: "click"]
            let value = ReportCell.decimal(millionths: roundedQuotient(one.value, by: Int128(CreditUnits.one)))
            cells.append(
                (
                    Int(one.group), one.first, key,
                    [
                        row.name, kinds[key[0]] ?? "", String(decoding: key.dropFirst(), as: UTF8.self),
                        one.platform < 0 ? "" : Platform.allCases[Int(one.platform)].rawValue,
                        one.country < 0 ? "" : evidence.countries[Int(one.country)],
                        Timestamp(microseconds: one.first).rfc3339, Timestamp(microseconds: one.last).rfc3339,
                        String(one.events), asked.figure.hasValue ? value.plainText ?? "" : "",
                    ]
                )
            )
        }
        #expect(zip(cells, cells.dropFirst()).allSatisfy { ($0.row, $0.first) <= ($1.row, $1.first) })
        listed.rows = cells.sorted { one, other in
            if (one.row, one.first) != (other.row, other.first) {
                return (one.row, one.first) < (other.row, other.first)
            }
            let ids = (one.key.dropFirst(), other.key.dropFirst())
            return ids.0.elementsEqual(ids.1) ? one.key[0] < other.key[0] : ids.0.lexicographicallyPrecedes(ids.1)
        }.map(\.cells)
        return listed
    }

    /// What the report says of each row.
    struct Figures {
        var names: Set<Oracle.Name> = []
        /// Where the report has a column of people.
        var counts: [Oracle.Name: Int] = [:]
        /// The values of conversions.
        var values: [Oracle.Name: String] = [:]
        /// The people in whose timeline alone the report finds something for the row.
        var people: [Oracle.Name: Set<[UInt8]>] = [:]
    }

    func figures(of events: MemoryEvents) throws -> Figures {
        let app = Asking.app(currency: RandomStream.currency, properties: RandomStream.declared)
        let request = try request(app, people: false)
        // Of one person alone, other rows may be beyond the limit, and all have fewer people than `least`.
        let alone = try self.request(app, people: false, limit: "10000")
        var figures = Figures()
        let timelines = MemoryTimelines(events, query: request.query)
        let table = try request.table(over: timelines)
        for row in named(table.rows.texts, table.columns, request) {
            figures.names.insert(row.name)
            figures.counts[row.name] = count(row.cells)
            if which == "conversions" { figures.values[row.name] = row.cells["value"] }
        }
        let report = try #require(alone.report as? any PeopleReport)
        try timelines.forEachPerson { person in
            guard person.isPerson else { return }
            var hidden: [Oracle.Name: Bool] = [:]
            for row in try rows(report, alone, person, timelines.dictionary) {
                if figures.names.contains(row.name) {
                    if has(row.cells) { figures.people[row.name, default: []].insert(person.key) }
                    continue
                }
                let period = (row.cells["cohort"] ?? row.cells["period"]).map { $0 + " / " } ?? ""
                let others = Oracle.Name(period + ReportNames.others)
                if which != "absent" {
                    if has(row.cells) { hidden[others] = true }
                } else if row.cells["people"] != "0" {
                    // Who is absent from one group may have stayed in another.
                    hidden[others] = hidden[others, default: true] && has(row.cells)
                }
            }
            for (others, isBehind) in hidden where isBehind {
                figures.people[others, default: []].insert(person.key)
            }
        }
        // "In funnels it lists only who reached a step."
        if which.hasSuffix(":dropped") || which.hasSuffix(":open") {
            figures.counts[Oracle.Name(ReportNames.others)] = nil
            figures.people[Oracle.Name(ReportNames.others)] = nil
        }
        return figures
    }

    private typealias Row = (name: Oracle.Name, cells: [String: String])

    private func rows<R: PeopleReport>(
        _ report: R,
        _ request: ReportRequest,
        _ person: borrowing PersonTimeline,
        _ dictionary: TimelineDictionary
    ) throws -> [Row] {
        var fold = report.makeFold(request.run(dictionary: dictionary))
        fold.add(person)
        return named(try fold.finish().texts, report.columns, request)
    }

    /// The rows of the figure with their names, and their cells by column. Those of a funnel have the people of the
    /// step before, too.
    private func named(_ rows: [[String]], _ columns: [ReportColumn], _ request: ReportRequest) -> [Row] {
        let keys: [String] =
            switch request.report {
            case let report as BreakdownReport: report.keys.map(\.rawValue)
            case is RetentionReport: ["cohort", "group"]
            case is ActivityReport: ["period", "group"]
            case is ChannelsReport: ["period", "channel"]
            case is RefsReport: ["period", "ref"]
            case is LinksReport: ["link"]
            default: ["group"]
            }
        let step = which.split(separator: ":").first.flatMap { Int($0) }
        var before = ""
        return rows.compactMap { row in
            var cells: [String: String] = [:]
            for (column, cell) in zip(columns, row) { cells[column.name] = cell }
            cells["before"] = before
            before = cells["people"] ?? ""
            if let step, cells["step"] != String(step) { return nil }
            let name = keys.compactMap { cells[$0] }.filter { !$0.isEmpty }.joined(separator: " / ")
            return (Oracle.Name(name), cells)
        }
    }

    /// The figure, if it counts people and its period has begun.
    private func count(_ cells: [String: String]) -> Int? {
        func number(_ column: String) -> Int { cells[column].flatMap { Int($0) } ?? -1 }
        let isOfStep = which.contains(":")
        if cells[isOfStep ? "people" : which == "absent" ? "retained" : which == "touches" ? "people" : which] == "" {
            return nil
        }
        switch which {
        case "touches": return number("people")
        case "posters": return number("posters")
        case "retained": return number("retained")
        case "new", "returning", "resurrected", "dormant": return number(which)
        case "absent": return number("people") - number("retained")
        case "installs", "conversions": return nil
        default:
            if which.hasSuffix(":reached") { return number("people") }
            if which.hasSuffix(":open") { return number("open") }
            return number("before") - number("people") - number("open")
        }
    }

    private func has(_ cells: [String: String]) -> Bool { count(cells).map { $0 > 0 } ?? (cells[which] != "0") }
}

extension Oracle {
    /// The people of an install or a conversion that a row is credited with.
    fileprivate func people(
        _ credited: Credited,
        _ goal: String?,
        _ span: Span,
        _ lookback: Duration,
        by grouping: Grouping,
        amongLinks: Bool = false
    ) -> [Name: Set<Person>] {
        var people: [Name: Set<Person>] = [:]
        for credit in credits(of: credited, goal: goal, in: span, lookback: lookback, model: .last) {
            guard credit.share > .zero, let person = credit.event.person else { continue }
            if amongLinks, credit.touch?.shortLink == nil { continue }
            let row = credit.from.flatMap { groups(of: $0, by: grouping).first } ?? .direct
            for (name, _) in grouping == .ref ? credit.parts : [(row, credit.share)] {
                people[name, default: []].insert(person)
            }
            people[.total, default: []].insert(person)
        }
        return people
    }
}
