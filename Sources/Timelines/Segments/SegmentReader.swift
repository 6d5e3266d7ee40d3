import Events
import Time

/// Reads a segment strand by strand, in the order of people.
///
/// It reads the columns that it is given: of the others every event has none. The memory is somebody else's and must stay
/// as long as the reader is used.
struct SegmentReader {
    /// A segment's columns as they came; nil for those not asked for.
    struct Columns {
        var strands = UnsafeRawBufferPointer(start: nil, count: 0)
        var ids: UnsafeRawBufferPointer?
        var clicks: UnsafeRawBufferPointer?
        var refs: UnsafeRawBufferPointer?
        var stories: UnsafeRawBufferPointer?
        var goals: UnsafeRawBufferPointer?
        var amounts: UnsafeRawBufferPointer?
        var referers: UnsafeRawBufferPointer?
        var targets: UnsafeRawBufferPointer?
    }

    private let month: Int64
    private var strands: ByteCursor
    private var ids: ByteCursor?
    private var clicks: ByteCursor?
    private var stories: ByteCursor?
    private var refs: TextColumn.Reader?
    private var goals: TextColumn.Reader?
    private var currencies: TextColumn.Reader?
    private var values: ByteCursor?
    private var referers: TextColumn.Reader?
    private var targets: TextColumn.Reader?
    /// The bits of a word that say that a column at hand has something of its event.
    private let flags: UInt64
    private let hasTouchColumns: Bool
    private let hasConversionColumns: Bool

    /// The strand at hand, of which `head.count` events are to be read before `advance` is called again.
    private(set) var head = RunHeader(rawValue: 0)
    private(set) var person = PersonHash(high: 0, low: 0)
    private(set) var key = PersonHash(high: 0, low: 0)
    private(set) var isAtEnd = false

    /// Whose strand is at hand, `.end` at the end. Not for strands of nobody's.
    var nextPerson: PersonHash {
        @inline(__always) get { isAtEnd ? .end : person }
    }

    /// The first strand is at hand then.
    init(_ columns: Columns, month: Int64, dictionary: TimelineDictionary) {
        self.month = month
        strands = ByteCursor(columns.strands)
        ids = columns.ids.map { ByteCursor($0) }
        clicks = columns.clicks.map { ByteCursor($0) }
        stories = columns.stories.map { ByteCursor($0) }
        refs = columns.refs.map { TextColumn.Reader($0) { dictionary.refList(elements: $0) } }
        goals = columns.goals.map { TextColumn.Reader($0) { dictionary.goal($0) } }
        referers = columns.referers.map { TextColumn.Reader($0) { dictionary.referer($0) } }
        targets = columns.targets.map { TextColumn.Reader($0) { dictionary.target($0) } }
        if let amounts = columns.amounts, amounts.count >= 4 {
            let size = Int(amounts.loadUnaligned(fromByteOffset: amounts.count - 4, as: UInt32.self))
            let split = min(size, amounts.count - 4)
            currencies = TextColumn.Reader(UnsafeRawBufferPointer(rebasing: amounts[..<split])) {
                dictionary.currency($0)
            }
            values = ByteCursor(UnsafeRawBufferPointer(rebasing: amounts[split..<amounts.count - 4]))
        }
        flags = EventWord.flags(clicked: clicks != nil, refs: refs != nil, story: stories != nil)
        hasTouchColumns = referers != nil || targets != nil
        hasConversionColumns = goals != nil || currencies != nil
        advance()
    }

    /// Whether the columns did not have what the strands promised.
    var isBroken: Bool {
        strands.isBroken || ids?.isBroken == true || clicks?.isBroken == true || stories?.isBroken == true
            || refs?.isBroken == true || goals?.isBroken == true || currencies?.isBroken == true
            || values?.isBroken == true || referers?.isBroken == true || targets?.isBroken == true
    }

    /// Whether it has come to the end and nothing was missing. A damaged person may be `.end`, whom nobody looks for.
    var isReadWhole: Bool { isAtEnd && !isBroken }

    /// Goes to the next strand, or to the end.
    @inline(__always)
    mutating func advance() {
        guard !strands.isAtEnd else {
            isAtEnd = true
            return
        }
        head = RunHeader(rawValue: strands.next(UInt32.self))
        if !head.isAnonymous, !head.continues { person = strands.nextHash() }
        key = head.isLinked ? strands.nextHash() : person
        // Whoever reads a damaged number of events would get that many.
        strands.expect(head.count * MemoryLayout<UInt64>.size)
        if strands.isBroken { isAtEnd = true }
    }

    /// Goes to the next strand past the events of the one at hand: for whoever was given no column but the strands.
    mutating func skipRun() {
        strands.skip(head.count * MemoryLayout<UInt64>.size)
        advance()
    }

    /// The next event of the strand at hand, with its story; the story is 0 where it has none or none was asked for.
    ///
    /// - Returns: nil for an event of another type, which is passed over.
    /// - Parameter types: one bit for each type that is wanted, at its `position`.
    @inline(__always)
    mutating func event(_ story: inout EventID, of types: UInt64) -> TimelineEvent? {
        let word = EventWord(rawValue: strands.next(UInt64.self))
        let isWanted = types & 1 << UInt64(word.typePosition) != 0
        // Most events are told by their word and their id.
        let hasMore = word.hasMore(flagged: flags, ofTouch: hasTouchColumns, ofConversion: hasConversionColumns)
        guard isWanted || hasMore else {
            ids?.skip(16)
            return nil
        }
        var event = word.event(month: month)
        if ids != nil { event.id = Self.nextID(&ids) }
        guard hasMore else { return event }
        if word.isClicked, clicks != nil {
            event.clickedAt = Timestamp(microseconds: clicks?.next(Int64.self) ?? 0)
        }
        if word.hasRefs, refs != nil { event.refs = refs?.next() ?? .none }
        if word.hasStory, stories != nil { story = Self.nextID(&stories) }
        if word.isTouch {
            if referers != nil { event.referer = referers?.next() ?? .none }
            if targets != nil { event.target = targets?.next() ?? .none }
        }
        if word.isConversion {
            if goals != nil { event.goal = goals?.next() ?? .none }
            if currencies != nil {
                event.currency = currencies?.next() ?? .none
                if !event.currency.isNone { event.value = values?.next(Int64.self) ?? 0 }
            }
        }
        return isWanted ? event : nil
    }

    @inline(__always)
    private static func nextID(_ cursor: inout ByteCursor?) -> EventID {
        let high = cursor?.next(UInt64.self) ?? 0
        return EventID(high: high, low: cursor?.next(UInt64.self) ?? 0)
    }
}
