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

    /// How many rows are read beside timelines.
    static let read = 50_000

    private let columns: Int
    /// The names of what can be asked otherwise.
    private let parameters: Set<String>
    private let spansMonths: Bool

    /// - Parameters:
    ///   - parameters: the names of the report's parameters; `period` also for a `by` that takes periods.
    ///   - spansMonths: whether the range lies in several months, which are read whole.
    init(columns: Int, parameters: Set<String> = [], spansMonths: Bool = false) {
        self.columns = max(1, columns)
        self.parameters = parameters
        self.spansMonths = spansMonths
    }

    func check(rows: Int) throws(ReportError) {
        guard rows > Self.cells / columns else { return }
        throw tooLarge(
            "the answer would have \(rows) rows or more; one of \(columns) columns has at most \(Self.cells / columns)",
            [Self.limit, Self.period, Self.filter]
        )
    }

    func check(parts: Int) throws(ReportError) {
        guard parts > Self.parts else { return }
        throw tooLarge("the answer would count up to \(parts) groups in single periods", [Self.limit, Self.period])
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
    func check(_ dictionary: TimelineDictionary, groups: Int) throws(ReportError) {
        let posts = dictionary.storyPosts.size
        let texts = dictionary.size - posts
        guard (texts + groups) * 3 / 2 + posts / 2 > Self.held else { return }
        if posts / 2 > texts + groups { throw Self.tooManyPosts }
        let isOfTexts = texts > groups
        throw tooLarge(
            """
            there are more different \(isOfTexts ? dictionary.largest.words : "groups") than \(2 * Self.held >> 20) \
            MB hold
            """,
            // All texts of a month are read, whatever is kept of them.
            isOfTexts ? [Self.key, Self.months] : [Self.filter, Self.key, Self.months]
        )
    }

    static let tooManyPosts = ReportError.usage(
        message: """
            the app has more posts than \(2 * held >> 20) MB hold, and the report must know each: the reports refs, \
            and posts without \(parameter: "each"), need not
            """,
        field: "report"
    )

    /// Says of what is read before folds count it that it is too large, as reports do.
    static func checkingPosts<Result>(_ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch TimelineError.tooManyPosts {
            throw tooManyPosts
        }
    }

    /// What may make an answer smaller, and the parameter that it needs.
    private typealias Advice = (words: UsageMessage, parameter: String)

    private static let limit: Advice = ("fewer groups with \(parameter: "limit")", "limit")
    private static let filter: Advice = ("fewer values with \(parameter: "where")", "where")
    private static let key: Advice = ("another key with \(parameter: "by")", "by")
    private static let period: Advice = ("longer periods", "period")
    private static let months: Advice = ("a range of fewer months", "")

    private func tooLarge(_ what: UsageMessage, _ advice: [Advice]) -> ReportError {
        let words = advice.filter { $0.parameter.isEmpty ? spansMonths : parameters.contains($0.parameter) }
            .map { $0.words }
        guard let first = words.first else { return .usage(message: what, field: "report") }
        let all = words.dropFirst().reduce(first) { "\($0), or for \($1)" }
        return .usage(message: "\(what): ask for \(all)", field: "report")
    }
}

/// When to look at what folds hold: before the dictionary or a table can have grown by much, and so seldom that it
/// costs no time.
struct SizeChecks {
    private static let people = 1_024
    private var count = 0

    /// Whether to look after this person. True for the first: what the plan has read is held by then.
    mutating func areDue() -> Bool {
        defer { count += 1 }
        return count.isMultiple(of: Self.people)
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
