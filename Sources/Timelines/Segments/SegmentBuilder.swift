import Events
import Time

/// Encodes the events of one bucket, month and kind as the columns of a segment (`timeline_segment`).
///
/// The column `strands` is a sequence of runs. A run has the events of one key of one person in time order: a header of
/// 4 bytes (the number of events, above the flags of `RunHeader`), the person's hash unless the run before has the same
/// person, the key's hash if it is not the person itself, then 8 bytes an event (`EventWord`).
struct SegmentBuilder {
    static let columnCount = 11

    /// The start of the month, in microseconds since 1970, UTC.
    let month: Int64
    private let dictionary: TimelineDictionary
    private(set) var eventCount = 0
    private var strands: [UInt8] = []
    private var ids: [UInt8] = []
    private var clicks: [UInt8] = []
    private var stories: [UInt8] = []
    private var refs = TextColumn.Builder()
    private var goals = TextColumn.Builder()
    private var currencies = TextColumn.Builder()
    private var values: [UInt8] = []
    private var referers = TextColumn.Builder()
    private var targets = TextColumn.Builder()
    private var links = TextColumn.Builder()
    private var openedClicks: [UInt8] = []

    /// - Parameter month: the start of the month, in microseconds since 1970, UTC.
    init(month: Int64, dictionary: TimelineDictionary) {
        self.month = month
        self.dictionary = dictionary
    }

    /// Encodes events that are in the order of segments (`SegmentEvent.<`).
    init(_ events: ArraySlice<SegmentEvent>, month: Int64, dictionary: TimelineDictionary) {
        self.init(month: month, dictionary: dictionary)
        append(events)
    }

    /// Appends all events of some people, in the order of segments. They come after the events that the builder has.
    mutating func append(_ events: ArraySlice<SegmentEvent>) {
        var start = events.startIndex
        var last: PersonHash?
        while start < events.endIndex {
            let first = events[start]
            var end = start + 1
            while end < events.endIndex, events[end].person == first.person,
                first.person == nil || events[end].key == first.key
            {
                end += 1
            }
            append(run: events[start..<end], continues: first.person != nil && first.person == last)
            last = first.person
            start = end
        }
    }

    private mutating func append(run: ArraySlice<SegmentEvent>, continues: Bool) {
        guard let first = run.first else { return }
        let isLinked = first.person != nil && first.key != first.person
        strands.append(
            number: RunHeader(
                count: run.count,
                isAnonymous: first.person == nil,
                continues: continues,
                isLinked: isLinked
            ).rawValue
        )
        if let person = first.person, !continues { strands.append(person) }
        if isLinked { strands.append(first.key) }
        for event in run { append(event) }
    }

    private mutating func append(_ packed: SegmentEvent) {
        let event = packed.event
        let word = EventWord(event, month: month, hasStory: packed.hasStory)
        strands.append(number: word.rawValue)
        ids.append(number: event.id.high)
        ids.append(number: event.id.low)
        if let clickedAt = event.clickedAt {
            clicks.append(number: clickedAt.microseconds)
            clicks.append(number: event.tappedTarget ?? 0)
        }
        if word.hasStory {
            stories.append(number: packed.story.high)
            stories.append(number: packed.story.low)
        }
        let dictionary = dictionary
        if word.hasRefs { refs.append(event.refs) { dictionary.elements(ofRefList: $0) } }
        if word.isTouch {
            referers.append(event.referer) { dictionary.referers.bytes(of: $0) }
            targets.append(event.target) { dictionary.targets.bytes(of: $0) }
        }
        if word.hasLink { links.append(event.shortLink) { dictionary.links.bytes(of: $0) } }
        if let click = event.openedClick {
            openedClicks.append(number: click.high)
            openedClicks.append(number: click.low)
        }
        if word.isConversion {
            goals.append(event.goal) { dictionary.goals.bytes(of: $0) }
            currencies.append(event.currency) { dictionary.currencies.bytes(of: $0) }
            if !event.currency.isNone { values.append(number: event.value) }
        }
        eventCount += 1
    }

    /// `strands`, `ids`, `refs`, `stories`, `clicks`, `goals`, `amounts`, `referers`, `targets`, `links`,
    /// `opened_clicks`.
    var columns: [[UInt8]] {
        var amounts = currencies.bytes
        let size = UInt32(amounts.count)
        amounts.append(contentsOf: values)
        if !amounts.isEmpty { amounts.append(number: size) }
        return [
            strands, ids, refs.bytes, stories, clicks, goals.bytes, amounts, referers.bytes, targets.bytes,
            links.bytes, openedClicks,
        ]
    }
}
