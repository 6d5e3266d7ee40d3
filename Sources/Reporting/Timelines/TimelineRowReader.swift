import Events
import InboundLinks
import Postgres

/// Reads the rows of `sql/reports/timelines.sql`.
struct TimelineRowReader {
    private let dictionary: TimelineDictionary
    private let types = EventType.allCases.map { ($0, Array($0.rawValue.utf8)) }
    private let platforms = Platform.allCases.map { ($0, Array($0.rawValue.utf8)) }
    private let channels = Channel.allCases.map { ($0, Array($0.rawValue.utf8)) }
    private let outcomes = PostOutcome.allCases.map { ($0, Array($0.rawValue.utf8)) }
    private let composers = Composer.allCases.map { ($0, Array($0.rawValue.utf8)) }

    init(dictionary: TimelineDictionary) {
        self.dictionary = dictionary
    }

    /// The event of a row of which the person has been read.
    func event(_ row: inout PostgresCopyRow) throws -> TimelineEvent {
        guard let type = try Self.label(row.nextUnsafeBytes(), types) else {
            throw TimelineError.unknownLabel("event_type")
        }
        let occurredAt = Timestamp(microseconds: try row.nextTimestamp())
        let id = try row.nextUUID()
        var event = TimelineEvent(occurredAt: occurredAt, id: EventID(high: id.high, low: id.low), type: type)
        event.platform = try Self.label(row.nextUnsafeBytes(), platforms)
        event.channel = try Self.label(row.nextUnsafeBytes(), channels)
        event.authenticated = try row.nextOptionalBool() ?? false
        event.deferred = try row.nextOptionalBool() ?? false
        event.clickedAt = try row.nextOptionalTimestamp().map { Timestamp(microseconds: $0) }
        event.refs = try row.nextUnsafeBytes().map { refList($0) } ?? .none
        event.referer = try row.nextUnsafeBytes().map { dictionary.referer($0) } ?? .none
        event.target = try row.nextUnsafeBytes().map { dictionary.target($0) } ?? .none
        event.outcome = try Self.label(row.nextUnsafeBytes(), outcomes)
        event.composer = try Self.label(row.nextUnsafeBytes(), composers)
        event.goal = try row.nextUnsafeBytes().map { dictionary.goal($0) } ?? .none
        event.value = try row.nextOptionalMillionths() ?? 0
        event.currency = try row.nextUnsafeBytes().map { dictionary.currency($0) } ?? .none
        return event
    }

    /// The value of an enum's label.
    private static func label<Value>(
        _ bytes: UnsafeRawBufferPointer?,
        _ labels: [(value: Value, text: [UInt8])]
    ) throws -> Value? {
        guard let bytes else { return nil }
        for (value, text) in labels where text.count == bytes.count && bytes.elementsEqual(text) { return value }
        throw TimelineError.unknownLabel(String(decoding: bytes, as: UTF8.self))
    }

    /// A `text[]` of one dimension: after a head of five numbers of 4 bytes come its elements.
    private func refList(_ array: UnsafeRawBufferPointer) -> Code {
        array.count <= 20 ? .none : dictionary.refList(elements: UnsafeRawBufferPointer(rebasing: array[20...]))
    }
}
