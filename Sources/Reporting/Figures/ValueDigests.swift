import Events
import Time
import Timelines

/// For each day, a digest of what counts there and of its people's values of properties, as the figures show them.
///
/// A person has one value in all of history, and an event of any day may give the person another one. That changes the
/// digests of the days on which the person counts. The figures of these days, and of no others, must be computed again.
struct ValueDigests {
    private let dictionary: TimelineDictionary
    private let hash = KeyedHash(key: [])
    /// Of lists of values, by their codes.
    private var hashes: [Code: UInt64] = [:]
    /// Of the values of the present person; nil if the person has none.
    private var values: UInt64?
    /// Sums, by the day's number. A day without values has none.
    private(set) var byDay: [Int: Int64] = [:]

    init(_ dictionary: TimelineDictionary) {
        self.dictionary = dictionary
    }

    /// Goes on with another person. All events of a person have the person's values.
    mutating func begin(_ person: borrowing PersonTimeline) {
        values = nil
        guard let list = person.events.first?.properties, !list.isNone else { return }
        if let known = hashes[list] { return values = known }
        let bytes = dictionary[.properties].bytes(of: list)
        values = bytes.withUnsafeBytes { hash($0) }
        hashes[list] = values
    }

    /// Adds a touch or a counted event of the person.
    mutating func add(_ event: EventID, on day: Int) {
        guard let values else { return }
        let digest = withUnsafeBytes(of: (values, event.high, event.low)) { hash($0) }
        byDay[day, default: 0] &+= Int64(truncatingIfNeeded: digest)
    }

    /// The spans whose figures are of other digests than those of today.
    ///
    /// - Parameters:
    ///   - days: the numbers of those whose digest has changed.
    ///   - removed: events of this day and of those before it may have been removed. Figures go on counting them, so
    ///     those of periods that begin no later stay as they are.
    static func spans(of days: Set<Int>, removedThrough removed: CivilDate?) -> Set<FigureSpan> {
        var spans: Set<FigureSpan> = []
        for day in days {
            for granularity in FigureFamily.personProperties.granularities {
                let start = granularity.start(of: CivilDate(number: day))
                if let removed, start <= removed { continue }
                spans.insert(FigureSpan(family: .personProperties, granularity: granularity, start: start))
            }
        }
        return spans
    }
}
