package import Events
package import Time

/// The texts of one run of a report. Its events carry them as codes.
///
/// A class, because the source that fills it and the fold that names its groups share it. Both live in one isolation.
@usableFromInline
package final class TimelineDictionary {
    package private(set) var refs = CodeTable()
    private var refLists = CodeTable()
    /// The distinct refs of every list, one list after the other. Unchecked, because folds read them for each touch:
    /// the checks of exclusive access took 7 % of a report by ref. No method calls other code while it changes them.
    @exclusivity(unchecked) @usableFromInline var members: [Code] = []
    @exclusivity(unchecked) @usableFromInline var memberEnds: [Int] = []

    package private(set) var referers = CodeTable()
    package private(set) var targets = CodeTable()
    package private(set) var links = CodeTable()
    package private(set) var goals = CodeTable()
    package private(set) var currencies = CodeTable()
    /// A reader of packed timelines puts its plan's posts here.
    package var storyPosts = StoryPostTable()

    package func storyPost(_ id: EventID, at time: Timestamp) -> Code { storyPosts.code(ofPost: id, at: time) }

    /// Set if several dictionaries share the numbers of their texts.
    private let shared: SharedTexts?

    /// The positions of the tables in `SharedTexts`.
    private enum Table: Int, CaseIterable {
        case refLists
        case referers
        case targets
        case links
        case goals
        case currencies
    }

    /// Texts for several dictionaries that give each text the same number.
    package static func makeSharedTexts() -> SharedTexts { SharedTexts(tables: Table.allCases.count) }

    package init(sharing shared: SharedTexts? = nil) {
        self.shared = shared
    }

    package func referer(_ text: UnsafeRawBufferPointer) -> Code { code(of: text, in: .referers) }
    package func target(_ text: UnsafeRawBufferPointer) -> Code { code(of: text, in: .targets) }
    package func link(_ text: UnsafeRawBufferPointer) -> Code { code(of: text, in: .links) }
    package func goal(_ text: UnsafeRawBufferPointer) -> Code { code(of: text, in: .goals) }
    package func currency(_ text: UnsafeRawBufferPointer) -> Code { code(of: text, in: .currencies) }

    package func referer(_ text: String) -> Code { Self.withBytes(text) { referer($0) } }
    package func target(_ text: String) -> Code { Self.withBytes(text) { target($0) } }
    package func link(_ text: String) -> Code { Self.withBytes(text) { link($0) } }
    package func goal(_ text: String) -> Code { Self.withBytes(text) { goal($0) } }
    package func currency(_ text: String) -> Code { Self.withBytes(text) { currency($0) } }

    /// By a list of this ref alone, because only lists have the same numbers in several dictionaries.
    package func ref(_ text: String) -> Code { refs(of: refList([text])).first ?? .none }

    private static func withBytes(_ text: String, _ body: (UnsafeRawBufferPointer) -> Code) -> Code {
        var text = text
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    private func code(of text: UnsafeRawBufferPointer, in table: Table) -> Code {
        if shared != nil {
            if let known = knownCode(of: text, in: table) { return known }
            catchUp(table, text)
        }
        return add(text, to: table)
    }

    private func knownCode(of text: UnsafeRawBufferPointer, in table: Table) -> Code? {
        switch table {
        case .refLists: refLists.knownCode(of: text)
        case .referers: referers.knownCode(of: text)
        case .targets: targets.knownCode(of: text)
        case .links: links.knownCode(of: text)
        case .goals: goals.knownCode(of: text)
        case .currencies: currencies.knownCode(of: text)
        }
    }

    /// The code of a text in this dictionary's own table. A new text gets a new code.
    private func add(_ text: UnsafeRawBufferPointer, to table: Table) -> Code {
        switch table {
        case .refLists: addRefList(text)
        case .referers: referers.code(of: text)
        case .targets: targets.code(of: text)
        case .links: links.code(of: text)
        case .goals: goals.code(of: text)
        case .currencies: currencies.code(of: text)
        }
    }

    /// Adds the texts that other dictionaries have numbered in the meantime.
    package func catchUp() {
        for table in Table.allCases { catchUp(table, nil) }
    }

    private func catchUp(_ table: Table, _ text: UnsafeRawBufferPointer?) {
        let count =
            switch table {
            case .refLists: refLists.count
            case .referers: referers.count
            case .targets: targets.count
            case .links: links.count
            case .goals: goals.count
            case .currencies: currencies.count
            }
        shared?.catchUp(table: table.rawValue, count: count, text: text) { _ = add($0, to: table) }
    }

    /// The approximate memory of the texts and posts, in bytes.
    package var size: Int {
        refs.size + refLists.size + referers.size + targets.size + links.size + goals.size + currencies.size
            + storyPosts.size
    }

    /// Forgets every text and post, so all codes lose their meaning. Only for a caller that reads person by person and
    /// keeps no codes. Does nothing if the texts are shared with other dictionaries.
    package func removeAll() {
        guard shared == nil else { return }
        refs = CodeTable()
        refLists = CodeTable()
        members.removeAll(keepingCapacity: true)
        memberEnds.removeAll(keepingCapacity: true)
        referers = CodeTable()
        targets = CodeTable()
        links = CodeTable()
        goals = CodeTable()
        currencies = CodeTable()
        storyPosts.removeAll()
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
    func refList(elements: UnsafeRawBufferPointer) -> Code {
        guard !elements.isEmpty else { return .none }
        return code(of: elements, in: .refLists)
    }

    /// The code of a list of refs, given as PostgreSQL's binary `text[]` of one dimension: five numbers of 4 bytes,
    /// then the elements.
    func refList(array: UnsafeRawBufferPointer) -> Code {
        array.count <= 20 ? .none : refList(elements: UnsafeRawBufferPointer(rebasing: array[20...]))
    }

    private func addRefList(_ elements: UnsafeRawBufferPointer) -> Code {
        let code = refLists.code(of: elements)
        if code.index == memberEnds.count { addMembers(of: elements) }
        return code
    }

    /// The elements that a list of refs was made from. `list` must be a code of a list.
    func elements(ofRefList list: Code) -> ArraySlice<UInt8> { refLists.bytes(of: list) }

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
