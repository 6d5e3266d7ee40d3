import Synchronization
import Timelines

/// How large the answer to a request may be. What is larger is refused before it is made, so that no key can exhaust
/// the memory of a daemon.
struct AnswerSize {
    /// A cell, the rows that it is copied to and the text that is made of it take 100 bytes, and up to 160 in `links`.
    static let cells = 500_000
    /// Counts of groups and periods of which rows are made.
    static let parts = 250_000

    /// What one of two connections may hold of texts, posts and groups, in bytes. Beside both of them, a report takes
    /// some 50 MB, and all together less than 150.
    static let held = 40 << 20

    /// The bytes of texts that one of two connections may read. With their tables they take more than it may hold.
    static let texts = held / 3 * 2

    /// The bytes of the names of rows, where a name may be as long as a person has touches. Beside them there is the
    /// text of the answer.
    static let names = held / 2

    /// How many rows are read beside timelines.
    static let read = 50_000

    private let columns: Int
    private let options: Set<Option>
    private let keepsPeople: Bool

    /// - Parameters:
    ///   - options: what the question can ask otherwise.
    ///   - keepsPeople: of the report.
    init(columns: Int, options: Set<Option> = [], keepsPeople: Bool = false) {
        self.columns = max(1, columns)
        self.options = options
        self.keepsPeople = keepsPeople
    }

    func check(rows: Int) throws(ReportError) {
        guard rows > Self.cells / columns else { return }
        throw tooLarge(
            "the answer would have \(rows) rows or more; one of \(columns) columns has at most \(Self.cells / columns)",
            [.limit, .models, .laterPeriods, .periodLength, .filter]
        )
    }

    func check(parts: Int) throws(ReportError) {
        guard parts > Self.parts else { return }
        throw tooLarge("the answer would count up to \(parts) groups in single periods", [.limit, .periodLength])
    }

    func check(names bytes: Int, limit: Int) throws(ReportError) {
        guard bytes > limit else { return }
        throw tooLarge("the names of the rows would take more than \(limit >> 20) MB", [.limit])
    }

    static func check(read rows: Int) throws(ReportError) {
        guard rows > read else { return }
        throw .usage(
            message: """
                the answer would have more than \(read) rows: ask for a shorter range, or for fewer values with \
                \(parameter: "where")
                """,
            field: "report"
        )
    }

    /// - Parameters:
    ///   - dictionary: of one of two connections. Beside theirs there is a third table of texts; both have the same
    ///     posts.
    ///   - groups: what the folds of that connection hold, in bytes. When they are merged, those of both are there,
    ///     and one of them beside.
    ///   - growing: whether people may still come. After the last one, room for more texts would refuse some, and
    ///     answer more of them.
    func check(_ dictionary: TimelineDictionary, groups: Int, growing: Bool = true) throws(ReportError) {
        let posts = dictionary.storyPosts.size
        let texts = dictionary.size(growing: growing) - posts
        guard (texts + groups) * 3 / 2 + posts / 2 > Self.held else { return }
        throw tooMuchHeld(dictionary, texts, groups, limit: Self.texts)
    }

    /// The same for a report that one connection reads alone.
    func check(_ dictionary: TimelineDictionary, ofAll groups: Int, growing: Bool = true) throws(ReportError) {
        let size = dictionary.size(growing: growing)
        guard size + groups > 2 * Self.held else { return }
        throw tooMuchHeld(dictionary, size - dictionary.storyPosts.size, groups, limit: 2 * Self.held)
    }

    /// - Parameter limit: of texts, in bytes.
    private func tooMuchHeld(
        _ dictionary: TimelineDictionary,
        _ texts: Int,
        _ groups: Int,
        limit: Int
    ) -> ReportError {
        if dictionary.storyPosts.size / 2 > texts + groups { return Self.tooManyPosts }
        guard texts <= groups else { return tooMany(dictionary.largest, limit: limit) }
        guard !keepsPeople else {
            return tooLarge(
                "more people installed or posted than \(2 * Self.held >> 20) MB hold, and the report must know each",
                [.oneRange]
            )
        }
        return tooManyGroups
    }

    /// Also for a fold that keeps no more groups, and so has not counted all.
    var tooManyGroups: ReportError {
        tooLarge(
            "there are more different groups than \(2 * Self.held >> 20) MB hold",
            [.oneRange, .filter, .key, .months]
        )
    }

    /// All texts of a month are read, whatever is kept of them.
    private func tooMany(_ text: TimelineText, limit: Int) -> ReportError {
        tooLarge(
            "the different \(text.words), with what is counted of each, take more than \(limit >> 20) MB",
            [.key, .months]
        )
    }

    private static let tooManyPosts = ReportError.usage(
        message: """
            the app has more posts than \(2 * held >> 20) MB hold, and the report must know each: the reports refs, \
            and posts without \(parameter: "each"), need not
            """,
        field: "report"
    )

    private static let tooManySharedDevices = ReportError.usage(
        message: """
            the app has more installs from devices that several people installed from than \(held >> 20) MB hold, and \
            the report must know each: delete the people who are none with 'tributary person delete'
            """,
        field: "report"
    )

    /// What a reader of timelines has refused to read, in the words of reports. Other errors stay as they are.
    ///
    /// - Parameter limit: the bytes of texts that it may read.
    func told(_ error: any Error, textLimit limit: Int = AnswerSize.texts) -> any Error {
        switch error {
        case TimelineError.tooManyPosts: Self.tooManyPosts
        case TimelineError.tooManySharedDevices: Self.tooManySharedDevices
        case TimelineError.tooManyTexts(let text): tooMany(text, limit: limit)
        default: error
        }
    }

    private func tooLarge(_ what: UsageMessage, _ advice: [Option]) -> ReportError {
        let words = advice.filter(options.contains).map(\.words)
        guard let first = words.first else { return .usage(message: what, field: "report") }
        let all = words.dropFirst().reduce(first) { "\($0), or for \($1)" }
        return .usage(message: "\(what): ask for \(all)", field: "report")
    }
}

extension AnswerSize {
    /// What a question can ask otherwise to get a smaller answer.
    enum Option {
        case limit, models, filter, key
        /// Those that `retention` counts after the first.
        case laterPeriods
        case periodLength
        /// The months in which the range lies, which are read whole.
        case months
        /// Each range is counted by itself, and both are held.
        case oneRange

        fileprivate var words: UsageMessage {
            switch self {
            case .limit: "fewer groups with \(parameter: "limit")"
            case .models: "fewer models with \(parameter: "model")"
            case .filter: "fewer values with \(parameter: "where")"
            case .key: "another key with \(parameter: "by")"
            case .laterPeriods: "fewer periods with \(parameter: "periods")"
            case .periodLength: "longer periods"
            case .months: "a range of fewer months"
            case .oneRange: "one range after the other, without \(parameter: "compare-previous")"
            }
        }
    }
}

extension ReportRequest {
    /// What the question can ask otherwise to get a smaller answer.
    var sizeOptions: Set<AnswerSize.Option> {
        let offered = type(of: report).parameters
        let dividesByKey = !offered.contains(.byPeriod)
        func has(_ name: String) -> Bool { offered.contains { $0.name == name } }
        func value(_ name: String) -> String { parameters.first { $0.name == name }?.value ?? "" }
        let period = CalendarPeriod(rawValue: value(dividesByKey ? "period" : "by"))
        var options: Set<AnswerSize.Option> = []
        if has("limit") { options.insert(.limit) }
        if has("where") { options.insert(.filter) }
        if has("by"), dividesByKey { options.insert(.key) }
        if value("model") == "all" || value("model").contains(",") { options.insert(.models) }
        if let count = Int(value("periods")), count > 1 { options.insert(.laterPeriods) }
        if period == .day || period == .week { options.insert(.periodLength) }
        if range.spansMonths { options.insert(.months) }
        if countedRanges.count > 1 { options.insert(.oneRange) }
        return options
    }
}

/// When to look at what folds hold: before the dictionary or a table can have grown by much, and so seldom that it
/// costs no time.
struct SizeChecks {
    /// One person may have as many.
    static let eventsBetweenLooks = 4_096
    private var count = SizeChecks.eventsBetweenLooks
    /// What was held when ``average(_:among:)`` was asked last.
    private var known: Int?

    /// Whether to look after this person. True for the first: what the plan has read is held by then.
    mutating func areDue(after person: borrowing PersonTimeline) -> Bool {
        count += person.events.count
        guard count >= Self.eventsBetweenLooks else { return false }
        count = 0
        return true
    }

    /// What each of some connections holds, on average.
    ///
    /// - Parameter size: what this one holds now.
    mutating func average(_ size: Int, among connections: HeldSizes) -> Int {
        defer { known = size }
        return connections.average(afterGrowthBy: size - (known ?? 0), isNew: known == nil)
    }
}

/// What the connections that share a report hold of groups, in bytes. One that reads faster than another one has more
/// people, so none is judged by its own.
final class HeldSizes: Sendable {
    private let state = Mutex((total: 0, connections: 0))

    fileprivate func average(afterGrowthBy growth: Int, isNew: Bool) -> Int {
        state.withLock { state in
            state.total += growth
            if isNew { state.connections += 1 }
            return state.total / max(1, state.connections)
        }
    }
}

extension TimelineText {
    /// What many of them are called.
    fileprivate var words: String {
        switch self {
        case .refs: "refs"
        case .referer: "referers"
        case .target: "targets"
        case .link: "short links"
        case .goal: "goals"
        case .currency: "currencies"
        case .appVersion: "versions"
        case .country: "countries"
        case .language: "languages"
        case .properties: "properties"
        }
    }
}
