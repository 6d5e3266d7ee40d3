package import Events
package import InboundLinks
package import Time

/// The texts of one run of a report. Its events carry them as codes.
///
/// A class, because the source that fills it and the fold that names its groups share it. Both live in one isolation.
@usableFromInline
package final class TimelineDictionary {
    /// One for each `TimelineText`.
    private var tables = TimelineText.allCases.map { _ in CodeTable() }
    /// The refs of all lists.
    package private(set) var refs = CodeTable()
    /// The distinct refs of every list, one list after the other. Unchecked, because folds read them for each touch:
    /// the checks of exclusive access took 7 % of a report by ref. No method calls other code while it changes them.
    @exclusivity(unchecked) @usableFromInline var members: [Code] = []
    @exclusivity(unchecked) @usableFromInline var memberEnds: [Int] = []

    /// A reader of packed timelines puts its plan's posts here before its first event. Callers read the table in place,
    /// and nothing may change it meanwhile. That is unchecked, as for `members`: folds ask for each touch, and copying
    /// the table took 6 % of `viral`.
    package var storyPosts: StoryPostTable {
        _read { yield posts }
        _modify { yield &posts }
    }
    @exclusivity(unchecked) private var posts = StoryPostTable()

    /// The devices that had installs of several people, if the query needs them.
    package var sharedDevices = SharedDevices()

    package func storyPost(_ id: EventID, at time: Timestamp) -> Code { storyPosts.code(ofPost: id, at: time) }

    /// Tells the pages of targets. Set before the first is asked for.
    package var pageReader = PageReader()
    /// The page of each target by the target's code; nil if it is not known yet.
    private var pages: [Code?] = []

    /// The bytes of the texts, without their tables.
    private(set) var textSize = 0
    /// The most that ``textSize`` may be. A text beyond it gets no code, and ``checkTexts()`` throws.
    var textLimit = Int.max

    /// For readers, after each text that they cannot do without, and before results are used.
    ///
    /// - Throws: `TimelineError.tooManyTexts`.
    @inline(__always)
    func checkTexts() throws(TimelineError) {
        if textSize > textLimit { throw .tooManyTexts(largest) }
    }

    /// Set if several dictionaries share the numbers of their texts.
    private let shared: SharedTexts?

    /// Texts for several dictionaries that give each text the same number.
    package static func makeSharedTexts() -> SharedTexts { SharedTexts(tables: TimelineText.allCases.count) }

    /// The app's currency, in which values are summed. Set before the first value is judged by it; it goes on when the
    /// dictionary forgets its texts.
    package var currency = "" {
        didSet { ownCurrency = code(of: currency, as: .currency) }
    }
    package private(set) var ownCurrency = Code.none

    /// Set through `rates`.
    var codedRates: CodedRates?

    /// What the run reads of declared properties; nil if it takes them as they are stored.
    var propertyCodes: PropertyCodes?

    package init(sharing shared: SharedTexts? = nil, properties: PropertyValues? = nil) {
        self.shared = shared
        propertyCodes = properties.map { PropertyCodes($0) }
    }

    /// The numbered texts of one kind.
    package subscript(kind: TimelineText) -> CodeTable {
        _read { yield tables[kind.rawValue] }
    }

    /// The code of a text. A new text gets a new code. An empty list has none.
    package func code(of text: UnsafeRawBufferPointer, as kind: TimelineText) -> Code {
        if kind == .properties, let properties = propertyCodes?.properties {
            return properties.reduced(text).withUnsafeBytes { code(ofWhole: $0, as: kind) }
        }
        return code(ofWhole: text, as: kind)
    }

    private func code(ofWhole text: UnsafeRawBufferPointer, as kind: TimelineText) -> Code {
        if text.isEmpty, kind == .refs || kind == .properties { return .none }
        if shared != nil || textSize > textLimit {
            if let known = self[kind].knownCode(of: text) { return known }
            if textSize > textLimit { return .none }
            catchUp(kind, text)
        }
        return add(text, as: kind)
    }

    package func code(of text: String, as kind: TimelineText) -> Code {
        var text = text
        return text.withUTF8 { code(of: UnsafeRawBufferPointer($0), as: kind) }
    }

    /// By a list of this ref alone, because only lists have the same numbers in several dictionaries.
    package func ref(_ text: String) -> Code { refs(of: refList([text])).first ?? .none }

    /// The code of a text in this dictionary's own table.
    private func add(_ text: UnsafeRawBufferPointer, as kind: TimelineText) -> Code {
        let count = self[kind].count
        let code = tables[kind.rawValue].code(of: text)
        guard self[kind].count > count else { return code }
        textSize += text.count
        if kind == .refs { addMembers(of: text) }
        if kind == .properties { propertyCodes?.append(text) }
        return code
    }

    /// Adds the texts that other dictionaries have numbered in the meantime.
    package func catchUp() {
        for kind in TimelineText.allCases { catchUp(kind, nil) }
    }

    private func catchUp(_ kind: TimelineText, _ text: UnsafeRawBufferPointer?) {
        shared?.catchUp(table: kind.rawValue, count: self[kind].count, text: text) { _ = add($0, as: kind) }
    }

    /// The page that a touch leads to, as a code of the table of targets: so readers that share their texts number
    /// pages alike.
    package func page(of event: TimelineEvent) -> Code {
        let target = event.clickTarget.isNone ? event.target : event.clickTarget
        guard !target.isNone else { return .none }
        if target.index < pages.count, let known = pages[target.index] { return known }
        let text = self[.target].withBytes(of: target) { pageReader.page(of: $0) }
        let page = text.map { code(of: $0, as: .target) } ?? .none
        while pages.count <= target.index { pages.append(nil) }
        pages[target.index] = page
        return page
    }

    /// The memory of the texts and posts, in bytes. Shared devices have a limit of their own, and are there once.
    package var size: Int { size(growing: true) }

    /// - Parameter growing: whether texts may still come. The posts are there before the first.
    package func size(growing: Bool) -> Int {
        let members = members.heldSize(growing: growing) + memberEnds.heldSize(growing: growing)
        let lists = refs.size(growing: growing) + members + pages.heldSize(growing: growing)
        let others = storyPosts.size + (propertyCodes?.size(growing: growing) ?? 0)
        return tables.reduce(lists + others) { $0 + $1.size(growing: growing) }
    }

    /// The kind of text that takes the most memory.
    package var largest: TimelineText {
        TimelineText.allCases.max { self[$0].size < self[$1].size } ?? .refs
    }

    /// Forgets every text and post, so all codes lose their meaning. Only for a caller that reads person by person and
    /// keeps no codes. Does nothing if the texts are shared with other dictionaries.
    package func removeAll() {
        guard shared == nil else { return }
        for index in tables.indices { tables[index] = CodeTable() }
        textSize = 0
        refs = CodeTable()
        pages.removeAll(keepingCapacity: true)
        members.removeAll(keepingCapacity: true)
        memberEnds.removeAll(keepingCapacity: true)
        storyPosts.removeAll()
        propertyCodes = propertyCodes.map { PropertyCodes($0.properties) }
        rates = codedRates?.rates
        if !currency.isEmpty { ownCurrency = code(of: currency, as: .currency) }
    }

    /// The code of a list of refs, `none` for an empty list. A ref that appears twice in a list counts once.
    package func refList(_ texts: [String]) -> Code {
        guard !texts.isEmpty else { return .none }
        var elements: [UInt8] = []
        for text in texts {
            withUnsafeBytes(of: UInt32(text.utf8.count).bigEndian) { elements.append(contentsOf: $0) }
            elements.append(contentsOf: text.utf8)
        }
        return elements.withUnsafeBytes { refList(elements: $0) }
    }

    /// The code of a list of refs, given as the elements of PostgreSQL's binary `text[]`: for each its length in 4
    /// bytes, big-endian, then its bytes.
    func refList(elements: UnsafeRawBufferPointer) -> Code { code(of: elements, as: .refs) }

    /// The code of a list of refs, given as PostgreSQL's binary `text[]` of one dimension: five numbers of 4 bytes,
    /// then the elements.
    func refList(array: UnsafeRawBufferPointer) -> Code {
        array.count <= 20 ? .none : refList(elements: UnsafeRawBufferPointer(rebasing: array[20...]))
    }

    /// The refs of a list; empty for the code `none`.
    package func refs(of list: Code) -> ArraySlice<Code> {
        members[memberRange(of: list)]
    }

    /// Calls `body` with each ref of a list, its position in the list, and the number of refs. Unlike ``refs(of:)`` it
    /// retains nothing, which would cost time for each touch.
    ///
    /// - Returns: the number of refs.
    @inlinable @inline(__always)
    package func forEachRef(of list: Code, _ body: (Code, Int, Int) -> Void) -> Int {
        let range = memberRange(of: list)
        for position in range { body(members[position], position - range.lowerBound, range.count) }
        return range.count
    }

    @inlinable @inline(__always)
    func memberRange(of list: Code) -> Range<Int> {
        guard !list.isNone else { return 0..<0 }
        return (list.index == 0 ? 0 : memberEnds[list.index - 1])..<memberEnds[list.index]
    }

    private func addMembers(of elements: UnsafeRawBufferPointer) {
        let start = members.count
        var position = 0
        while position + 4 <= elements.count {
            let length = Int(Int32(bigEndian: elements.loadUnaligned(fromByteOffset: position, as: Int32.self)))
            position += 4
            // A null element has the length -1 and no bytes.
            guard length >= 0, position + length <= elements.count else { continue }
            let ref = refs.code(of: UnsafeRawBufferPointer(rebasing: elements[position..<position + length]))
            if !members[start...].contains(ref) { members.append(ref) }
            position += length
        }
        memberEnds.append(members.count)
    }
}
