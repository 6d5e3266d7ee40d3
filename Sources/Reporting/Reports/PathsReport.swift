import Events
import InboundLinks
import Time
import Timelines

/// The channels that people came through before they converted.
struct PathsReport: Report {
    static let name = "paths"
    static let summary = "The channels of the touches before each conversion, in order, with how often they led to one."
    static let separator = " > "
    static let examples = ["--limit 8", "--goal premium --lookback 1d"]
    static let parameters: [ReportParameter] = [
        .goal, .lookback,
        ReportParameter("limit", "NUMBER", "The most paths shown.", default: "50"),
    ]
    static let columns: [ReportColumn] = [
        .text(
            "path",
            "The channels of the touches before a conversion, oldest first, joined by ` > `; `direct` means no touch, `total` all conversions."
        ),
        .integer("conversions", unit: "conversions", "Conversions that came this way."),
        .rate("share", "`conversions` ÷ those of `total`."),
        .decimal("value", unit: ReportColumn.currency, "Their value.").asSum(of: "conversions"),
    ]

    let goal: String?
    let lookback: ReportDuration
    let limit: Int

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        goal = try parameters.text("goal")
        lookback = try parameters.duration("lookback", default: ReportDuration(days: 7))
        limit = try parameters.count("limit", default: 50, allowed: 1...1_000_000)
    }

    var namedValues: [NamedValue] { NamedValue.goals([goal], of: "goal") }

    func query(in range: ReportRange) -> TimelineQuery {
        TimelineQuery(TimelineQuery.touchTypes.union([.conversion]), in: range, lookback: lookback)
    }

    func makeFold(_ run: ReportRun) -> PathsFold {
        PathsFold(self, run)
    }
}

struct PathsFold: LimitedFold {
    private struct Counts {
        var conversions: Int64 = 0
        /// In millionths of the currency.
        var value: Int128 = 0

        mutating func add(_ event: CreditedEvent) {
            conversions += 1
            value += Int128(event.value)
        }

        static func += (counts: inout Counts, other: Counts) {
            counts.conversions += other.conversions
            counts.value += other.value
        }
    }

    private static let channels = Channel.allCases.map(\.rawValue)
    /// The place of each channel by name. No name begins with another one, so paths are in the order of their names if
    /// they are in that of these places.
    private static let places = channels.map { name in channels.filter { Reporting.precedes($0, name) }.count }
    private static let nameSizes = channels.map(\.utf8.count)

    private let report: PathsReport
    private let events: CreditedEvents
    private let answer: AnswerSize
    private let limit: Int
    private let nameLimit: Int
    /// Paths as the positions of their channels, one byte each.
    private var paths = CodeTable()
    /// By path.
    private var counts: [Counts] = []
    private var direct = Counts()
    private var total = Counts()
    private var others: OtherCurrencies
    /// Whether a path was left out. The size of the fold does not tell: it is judged by the average of all connections.
    private var isCut = false
    private var candidates: [TimelineTouch] = []
    private var path: [UInt8] = []

    /// - Parameters:
    ///   - limit: the bytes of paths beyond which none is added. ``finish(beside:)`` refuses a report of more.
    ///   - nameLimit: the bytes of the names of all paths shown.
    init(
        _ report: PathsReport,
        _ run: ReportRun,
        limit: Int = 2 * AnswerSize.held,
        nameLimit: Int = AnswerSize.names
    ) {
        self.report = report
        self.limit = limit
        self.nameLimit = nameLimit
        answer = run.size
        others = OtherCurrencies(run)
        events = CreditedEvents(
            range: run.range,
            installs: false,
            goal: report.goal.map { run.dictionary.code(of: $0, as: .goal) },
            currency: run.dictionary.code(of: run.currency, as: .currency)
        )
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        let events = events
        events.forEach(of: person) { event in
            total.add(event)
            others.add(person.events[event.position])
            person.copyTouches(before: event, within: report.lookback.microseconds, to: &candidates)
            guard !candidates.isEmpty else { return direct.add(event) }
            // One person's paths may take the square of their touches.
            guard paths.size <= limit else {
                isCut = true
                return
            }
            path.removeAll(keepingCapacity: true)
            for touch in candidates { path.append(UInt8(touch.channel.position)) }
            counts(of: path.withUnsafeBytes { paths.code(of: $0) }) { $0.add(event) }
        }
    }

    private mutating func counts(of path: Code, _ body: (inout Counts) -> Void) {
        if path.index == counts.count { counts.append(Counts()) }
        body(&counts[path.index])
    }

    var otherCurrencies: [OtherCurrencies] { [others] }
    var size: Int { paths.size + counts.heldSize }
    var rowCount: Int { min(report.limit, counts.count) + 2 }

    mutating func merge(_ other: PathsFold) {
        isCut = isCut || other.isCut
        // What is refused needs no memory for all paths together.
        guard !isCut else { return }
        others += other.others
        for (index, added) in other.counts.enumerated() {
            let path = paths.code(ofBytes: other.paths.bytes(of: Code(rawValue: Int32(index))))
            counts(of: path) { $0 += added }
        }
        direct += other.direct
        total += other.total
    }

    /// - Throws: `ReportError` if there are too many paths; `CancellationError`.
    func finish(beside others: [[ReportCell]]?) throws -> [[ReportCell]] {
        guard !isCut else { throw answer.tooManyGroups }
        return try rows(showing: Set((others ?? []).compactMap(\.first?.plainText)))
    }

    /// - Parameter names: paths that are shown also beyond the limit.
    private func rows(showing names: Set<String>) throws -> [[ReportCell]] {
        // Names are made of what is shown alone: those of all paths would take more memory than the paths.
        let places = Self.places
        func precedes(_ one: Int, _ other: Int) -> Bool {
            guard counts[one].conversions == counts[other].conversions else {
                return counts[one].conversions > counts[other].conversions
            }
            // The order is not used then, and long paths take long to compare.
            if Task.isCancelled { return false }
            return codes(at: one).lexicographicallyPrecedes(codes(at: other)) { places[Int($0)] < places[Int($1)] }
        }
        let largest = smallest(report.limit, of: counts.indices, by: precedes)
        let known = Set(largest)
        let sizes = Set(names.map(\.utf8.count))
        let others = counts.indices.filter { position in
            !names.isEmpty && !known.contains(position) && sizes.contains(nameSize(at: position))
                && names.contains(name(at: position))
        }
        let shown = largest + others.sorted(by: precedes)
        try Task.checkCancellation()
        try answer.check(names: shown.reduce(0) { $0 + nameSize(at: $1) }, limit: nameLimit)
        var rows = shown.map { (name: name(at: $0), counts: counts[$0]) }
        if direct.conversions > 0 { rows.append((ReportNames.direct, direct)) }
        rows.append((ReportNames.total, total))
        return rows.map { name, counts in
            [
                .text(name), .integer(counts.conversions), .fraction(counts.conversions, of: total.conversions),
                .decimal(millionths: counts.value),
            ]
        }
    }

    /// The positions of the channels.
    private func codes(at position: Int) -> ArraySlice<UInt8> {
        paths.bytes(of: Code(rawValue: Int32(position)))
    }

    private func name(at position: Int) -> String {
        codes(at: position).map { Self.channels[Int($0)] }.joined(separator: PathsReport.separator)
    }

    /// The bytes of ``name(at:)``.
    private func nameSize(at position: Int) -> Int {
        let channels = codes(at: position)
        let separators = max(0, channels.count - 1) * PathsReport.separator.utf8.count
        return channels.reduce(separators) { $0 + Self.nameSizes[Int($1)] }
    }
}
