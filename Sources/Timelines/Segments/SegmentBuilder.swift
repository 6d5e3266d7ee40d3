import Events
import Time

/// Encodes the events of one bucket, month and kind as the columns of a segment (`timeline_segment`).
///
/// The column `strands` is a sequence of runs. A run has the events of one key of one person in time order: a header of
/// 4 bytes (the number of events, above the flags of `RunHeader`), the person's hash unless the run before has the same
/// person, the key's hash if it is not the person itself, then 8 bytes an event (`EventWord`).
struct SegmentBuilder {
    /// The start of the month, in microseconds since 1970, UTC.
    let month: Int64
    private let dictionary: TimelineDictionary
    private(set) var eventCount = 0
    /// Of each column, what is no text. The column `amounts` has values of 8 bytes.
    private var bytes = Self.noBytes
    private var texts = Self.noTexts

    // Made once, because most segments are small.
    private static let noBytes = SegmentColumn.allCases.map { _ in [UInt8]() }
    private static let noTexts = SegmentColumn.allCases.compactMap { Texts($0) }

    /// The texts of a column.
    private struct Texts {
        let column: SegmentColumn
        let text: TimelineText
        let holders: EventWord.Holders
        var codes = TextColumn.Builder()

        /// Nil for a column of other contents.
        init?(_ column: SegmentColumn) {
            guard let text = column.text, let holders = column.holders else { return nil }
            self.column = column
            self.text = text
            self.holders = holders
        }
    }

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
        bytes[.strands].append(
            number: RunHeader(
                count: run.count,
                isAnonymous: first.person == nil,
                continues: continues,
                isLinked: isLinked
            ).rawValue
        )
        if let person = first.person, !continues { bytes[.strands].append(person) }
        if isLinked { bytes[.strands].append(first.key) }
        for event in run { append(event) }
    }

    private mutating func append(_ packed: SegmentEvent) {
        let event = packed.event
        let word = EventWord(event, month: month, hasStory: packed.hasStory)
        bytes[.strands].append(number: word.rawValue)
        bytes[.ids].append(event.id)
        if let clickedAt = event.clickedAt {
            bytes[.clicks].append(number: clickedAt.microseconds)
            bytes[.clicks].append(number: event.tappedTarget ?? 0)
        }
        if word.hasStory { bytes[.stories].append(packed.story) }
        if word.hasRefOrigin {
            bytes[.refOrigins].append(UInt8(truncatingIfNeeded: event.refOrigin.map { $0.position + 1 } ?? 0))
        }
        if let click = event.openedClick { bytes[.openedClicks].append(click) }
        if word.isConversion, !event.currency.isNone { bytes[.amounts].append(number: event.value) }
        let dictionary = dictionary
        for index in texts.indices where word.isAmong(texts[index].holders) {
            let text = texts[index].text
            texts[index].codes.append(event[text]) { dictionary[text].bytes(of: $0) }
        }
        eventCount += 1
    }

    /// One for each `SegmentColumn`.
    var columns: [[UInt8]] {
        var columns = bytes
        for text in texts { columns[text.column] = text.codes.bytes + columns[text.column] }
        // The values come after the currencies, whose size is the last number.
        let size = columns[.amounts].count - bytes[.amounts].count
        if size > 0 { columns[.amounts].append(number: UInt32(size)) }
        return columns
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ id: EventID) {
        append(number: id.high)
        append(number: id.low)
    }
}
