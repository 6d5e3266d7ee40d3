import Events
import Time

/// Reads a segment run by run, in the order of people.
///
/// It reads the columns that it is given; values of other columns are `none`. It borrows the memory, which must outlive
/// the reader.
struct SegmentReader {
    /// The columns of a segment; nil for those that were not asked for.
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
        var links: UnsafeRawBufferPointer?
        var openedClicks: UnsafeRawBufferPointer?
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
    private var links: TextColumn.Reader?
    private var openedClicks: ByteCursor?
    /// The bits of a word which show that a given column has a value of the event.
    private let flags: UInt64
    private let hasTouchColumns: Bool
    private let hasConversionColumns: Bool

    /// The header of the current run. The caller reads `head.count` events before it calls `advance` again.
    private(set) var head = RunHeader(rawValue: 0)
    private(set) var person = PersonHash(high: 0, low: 0)
    private(set) var key = PersonHash(high: 0, low: 0)
    private(set) var isAtEnd = false

    /// The person of the current run, `.end` at the end. Not for runs of anonymous events.
    var nextPerson: PersonHash {
        @inline(__always) get { isAtEnd ? .end : person }
    }

    /// Moves to the first run.
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
        links = columns.links.map { TextColumn.Reader($0) { dictionary.link($0) } }
        openedClicks = columns.openedClicks.map { ByteCursor($0) }
        if let amounts = columns.amounts, amounts.count >= 4 {
            let size = Int(amounts.loadUnaligned(fromByteOffset: amounts.count - 4, as: UInt32.self))
            let split = min(size, amounts.count - 4)
            currencies = TextColumn.Reader(UnsafeRawBufferPointer(rebasing: amounts[..<split])) {
                dictionary.currency($0)
            }
            values = ByteCursor(UnsafeRawBufferPointer(rebasing: amounts[split..<amounts.count - 4]))
        }
        flags = EventWord.flags(
            clicked: clicks != nil,
            refs: refs != nil,
            story: stories != nil,
            openedClick: openedClicks != nil,
            link: links != nil
        )
        hasTouchColumns = referers != nil || targets != nil
        hasConversionColumns = goals != nil || currencies != nil
        advance()
    }

    /// Whether a column had fewer bytes than the runs need.
    var isBroken: Bool {
        strands.isBroken || ids?.isBroken == true || clicks?.isBroken == true || stories?.isBroken == true
            || refs?.isBroken == true || goals?.isBroken == true || currencies?.isBroken == true
            || values?.isBroken == true || referers?.isBroken == true || targets?.isBroken == true
            || links?.isBroken == true || openedClicks?.isBroken == true
    }

    /// Whether all was read and nothing was missing. A damaged person may equal `.end`; then the reader is not at its
    /// end.
    var isReadWhole: Bool { isAtEnd && !isBroken }

    /// Moves to the next run, or to the end.
    @inline(__always)
    mutating func advance() {
        guard !strands.isAtEnd else {
            isAtEnd = true
            return
        }
        head = RunHeader(rawValue: strands.next(UInt32.self))
        if !head.isAnonymous, !head.continues { person = strands.nextHash() }
        key = head.isLinked ? strands.nextHash() : person
        // Without this check, a damaged count would make the caller read that many events.
        strands.expect(head.count * MemoryLayout<UInt64>.size)
        if strands.isBroken { isAtEnd = true }
    }

    /// Moves to the next run without reading the events of the current one. Only for a reader of the column `strands`
    /// alone.
    mutating func skipRun() {
        strands.skip(head.count * MemoryLayout<UInt64>.size)
        advance()
    }

    /// The next event of the current run. `story` is set to its story, if it has one and the column was asked for.
    ///
    /// - Parameter types: one bit for each wanted type, at its `position`.
    /// - Returns: nil for an event of another type, which is skipped.
    @inline(__always)
    mutating func event(_ story: inout EventID, of types: UInt64) -> TimelineEvent? {
        let word = EventWord(rawValue: strands.next(UInt64.self))
        let isWanted = types & 1 << UInt64(word.typePosition) != 0
        // Most events have nothing beside their word and their id.
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
            let target = clicks?.next(Int64.self) ?? 0
            event.tappedTarget = target == 0 ? nil : target
        }
        if word.hasRefs, refs != nil { event.refs = refs?.next() ?? .none }
        if word.hasStory, stories != nil { story = Self.nextID(&stories) }
        if word.isTouch {
            if referers != nil { event.referer = referers?.next() ?? .none }
            if targets != nil { event.target = targets?.next() ?? .none }
        }
        if word.hasLink, links != nil { event.shortLink = links?.next() ?? .none }
        if word.hasOpenedClick, openedClicks != nil { event.openedClick = Self.nextID(&openedClicks) }
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
