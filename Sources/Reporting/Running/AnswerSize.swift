import Timelines

/// How large the answer to a request may be. What is larger is refused before it is made, so that no key can exhaust
/// the memory of a daemon.
struct AnswerSize {
    /// A cell takes 32 bytes, and the text that is made of it as many again.
    static let cells = 1_000_000
    /// Counts of groups and periods of which rows are made.
    static let parts = 250_000

    /// What one of two connections may hold of texts, posts and groups, in bytes.
    static let held = 50 << 20

    /// How many rows are read beside timelines.
    static let read = 50_000

    private let columns: Int

    init(columns: Int) { self.columns = max(1, columns) }

    func check(rows: Int) throws(ReportError) {
        guard rows > Self.cells / columns else { return }
        throw Self.tooLarge(
            "would have \(rows) rows or more; one of \(columns) columns has at most \(Self.cells / columns)"
        )
    }

    func check(parts: Int) throws(ReportError) {
        if parts > Self.parts { throw Self.tooLarge("would count up to \(parts) groups in single periods") }
    }

    static func check(read rows: Int) throws(ReportError) {
        if rows > read { throw tooLarge("would have more than \(read) rows") }
    }

    /// - Parameters:
    ///   - dictionary: of one of two connections. Beside theirs there is a third table of texts; both have the same
    ///     posts.
    ///   - groups: what the folds of that connection hold, in bytes.
    static func check(_ dictionary: TimelineDictionary, groups: Int) throws(ReportError) {
        if dictionary.size * 3 / 2 - dictionary.storyPosts.size + groups > held {
            throw tooLarge("needs more different refs, targets, goals and the like than \(2 * held >> 20) MB hold")
        }
    }

    private static func tooLarge(_ what: String) -> ReportError {
        .usage(
            message:
                "the answer \(what): ask for a shorter range, for fewer values with \(parameter: "where"), for longer periods, or for fewer groups with \(parameter: "limit") where the report has it",
            field: "report"
        )
    }
}
