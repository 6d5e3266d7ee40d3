import Events
import Time

/// Reads a segment run by run, in the order of people.
///
/// It reads the columns that it is given; values of other columns are `none`. It borrows the memory, which must outlive
/// the reader.
struct SegmentReader {
    private let month: Int64
    private var strands: ByteCursor
    private var ids: ByteCursor?
    private var clicks: ByteCursor?
    private var stories: ByteCursor?
    private var refOrigins: ByteCursor?
    private var openedClicks: ByteCursor?
    private var values: ByteCursor?
    private var texts: [Texts]
    /// The events that have a value in one of these columns, beside those that every event has one in.
    private let holders: EventWord.Holders

    /// The texts of a column.
    private struct Texts {
        let text: TimelineText
        let holders: EventWord.Holders
        var codes: TextColumn.Reader
    }

    /// The header of the current run. The caller reads `head.count` events before it calls `advance` again.
    private(set) var head = RunHeader(rawValue: 0)
    private(set) var person = PersonHash(high: 0, low: 0)
    private(set) var key = PersonHash(high: 0, low: 0)
    private(set) var isAtEnd = false
    /// The person of the current run, `.end` at the end. Not for runs of anonymous events. Stored, because asking a
    /// value of an array for a computed property copies the value.
    private(set) var nextPerson = PersonHash.end

    /// Moves to the first run.
    ///
    /// - Parameter columns: one for each `SegmentColumn`; nil for those that were not asked for.
    init(_ columns: [UnsafeRawBufferPointer?], month: Int64, dictionary: TimelineDictionary) {
        self.month = month
        strands = ByteCursor(columns[.strands] ?? UnsafeRawBufferPointer(start: nil, count: 0))
        ids = columns[.ids].map { ByteCursor($0) }
        clicks = columns[.clicks].map { ByteCursor($0) }
        stories = columns[.stories].map { ByteCursor($0) }
        refOrigins = columns[.refOrigins].map { ByteCursor($0) }
        openedClicks = columns[.openedClicks].map { ByteCursor($0) }
        var columns = columns
        if let amounts = columns[.amounts], amounts.count >= 4 {
            let size = Int(amounts.loadUnaligned(fromByteOffset: amounts.count - 4, as: UInt32.self))
            let split = min(size, amounts.count - 4)
            columns[.amounts] = UnsafeRawBufferPointer(rebasing: amounts[..<split])
            values = ByteCursor(UnsafeRawBufferPointer(rebasing: amounts[split..<amounts.count - 4]))
        } else {
            columns[.amounts] = nil
        }
        var holders = EventWord.Holders()
        texts = []
        for column in SegmentColumn.allCases {
            guard let bytes = columns[column], let ofColumn = column.holders else { continue }
            holders.formUnion(ofColumn)
            guard let text = column.text else { continue }
            let codes = TextColumn.Reader(bytes) { dictionary.code(of: $0, as: text) }
            texts.append(Texts(text: text, holders: ofColumn, codes: codes))
        }
        self.holders = holders
        advance()
    }

    /// Whether a column had fewer bytes than the runs need.
    var isBroken: Bool {
        strands.isBroken || texts.contains(where: \.codes.isBroken)
            || [ids, clicks, stories, refOrigins, openedClicks, values].contains { $0?.isBroken == true }
    }

    /// Whether all was read and nothing was missing. A damaged person may equal `.end`; then the reader is not at its
    /// end.
    var isReadWhole: Bool { isAtEnd && !isBroken }

    /// Moves to the next run, or to the end.
    @inline(__always)
    mutating func advance() {
        guard !strands.isAtEnd else { return end() }
        head = RunHeader(rawValue: strands.next(UInt32.self))
        if !head.isAnonymous, !head.continues { person = strands.nextHash() }
        key = head.isLinked ? strands.nextHash() : person
        // Without this check, a damaged count would make the caller read that many events.
        strands.expect(head.count * MemoryLayout<UInt64>.size)
        if strands.isBroken { return end() }
        nextPerson = person
    }

    private mutating func end() {
        isAtEnd = true
        nextPerson = .end
    }

    /// Moves to the next run without reading the events of the current one. Only for a reader of the column `strands`
    /// alone.
    mutating func skipRun() {
        strands.skip(head.count * MemoryLayout<UInt64>.size)
        advance()
    }

    /// Reads the next event of the current run. It is made in place, because copies of it cost more than reading it.
    ///
    /// - Parameters:
    ///   - event: becomes the event, if it is wanted.
    ///   - story: becomes its story; 0 if it has none, or if the column was not asked for.
    ///   - types: one bit for each wanted type, at its `position`.
    /// - Returns: false for an event of another type, which is skipped.
    @inline(__always)
    mutating func read(_ event: inout TimelineEvent, _ story: inout EventID, of types: UInt64) -> Bool {
        story = EventID(high: 0, low: 0)
        let word = EventWord(rawValue: strands.next(UInt64.self))
        let isWanted = types & 1 << UInt64(word.typePosition) != 0
        // Most events have nothing beside their word and their id.
        let hasMore = word.isAmong(holders)
        guard isWanted || hasMore else {
            ids?.skip(16)
            return false
        }
        word.read(into: &event, month: month)
        if ids != nil { event.id = Self.nextID(&ids) }
        guard hasMore else { return true }
        if word.isClicked, clicks != nil {
            event.clickedAt = Timestamp(microseconds: clicks?.next(Int64.self) ?? 0)
            event.tappedTarget = clicks?.next(Int64.self)
        }
        if word.hasStory, stories != nil { story = Self.nextID(&stories) }
        if refOrigins != nil, word.hasRefOrigin, let number = refOrigins?.next(UInt8.self) {
            event.refOrigin = RefOrigin(position: Int(number) - 1)
        }
        if word.hasOpenedClick, openedClicks != nil { event.openedClick = Self.nextID(&openedClicks) }
        for index in texts.indices where word.isAmong(texts[index].holders) {
            event[texts[index].text] = texts[index].codes.next()
        }
        if !event.currency.isNone { event.value = values?.next(Int64.self) ?? 0 }
        return isWanted
    }

    @inline(__always)
    private static func nextID(_ cursor: inout ByteCursor?) -> EventID {
        let high = cursor?.next(UInt64.self) ?? 0
        return EventID(high: high, low: cursor?.next(UInt64.self) ?? 0)
    }
}
