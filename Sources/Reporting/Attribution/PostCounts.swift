import InboundLinks

/// The feed posts of one row, by outcome.
struct PostCounts: Equatable {
    private(set) var posted: Int64 = 0
    private(set) var cancelled: Int64 = 0
    private(set) var failed: Int64 = 0
    private(set) var unconfirmed: Int64 = 0
    /// How many people posted.
    private(set) var posters: Int64 = 0
    /// The number of the last counted poster, so that each person counts once.
    private var lastPoster = -1

    /// - Parameter person: a number that only this person has; nil for an anonymous post.
    /// - Returns: whether the person is a poster who was not counted yet.
    @discardableResult
    mutating func add(_ outcome: PostOutcome, by person: Int?) -> Bool {
        switch outcome {
        case .posted:
            posted += 1
            guard let person, person != lastPoster else { return false }
            posters += 1
            lastPoster = person
            return true
        case .cancelled: cancelled += 1
        case .failed: failed += 1
        case .unconfirmed: unconfirmed += 1
        }
        return false
    }

    /// Sets the number of posters of rows that have been added up, in which somebody may have counted twice.
    mutating func replacePosters(with count: Int64) { posters = count }

    static func += (counts: inout PostCounts, other: PostCounts) {
        counts.posted += other.posted
        counts.cancelled += other.cancelled
        counts.failed += other.failed
        counts.unconfirmed += other.unconfirmed
        counts.posters += other.posters
    }

    /// The share of posted ones among posts with a known decision, posted or cancelled.
    var rate: ReportCell { .fraction(posted, of: posted + cancelled) }

    /// `posts`, `cancelled`, `failed`, `unconfirmed`, `post_rate`, `posters`.
    var cells: [ReportCell] {
        [.integer(posted), .integer(cancelled), .integer(failed), .integer(unconfirmed), rate, .integer(posters)]
    }
}
