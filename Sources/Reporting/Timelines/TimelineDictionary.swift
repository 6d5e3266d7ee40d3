import Events
import InboundLinks

/// The texts of one run of a report: what its events carry as codes.
///
/// A class, because the source that fills it and the fold that names its groups share it. Both live in one isolation.
final class TimelineDictionary {
    private(set) var refs = CodeTable()
    private var refLists = CodeTable()
    /// The distinct refs of every list, one list after the other.
    private var members: [Code] = []
    private var memberEnds: [Int] = []

    private(set) var referers = CodeTable()
    private(set) var targets = CodeTable()
    private(set) var goals = CodeTable()
    private(set) var currencies = CodeTable()
    private(set) var storyPosts = StoryPostTable()

    func storyPost(_ id: EventID, at time: Timestamp) -> Code { storyPosts.code(ofPost: id, at: time) }

    func referer(_ text: UnsafeRawBufferPointer) -> Code { referers.code(of: text) }
    func target(_ text: UnsafeRawBufferPointer) -> Code { targets.code(of: text) }
    func goal(_ text: UnsafeRawBufferPointer) -> Code { goals.code(of: text) }
    func currency(_ text: UnsafeRawBufferPointer) -> Code { currencies.code(of: text) }

    func referer(_ text: String) -> Code { referers.code(of: text) }
    func target(_ text: String) -> Code { targets.code(of: text) }
    func goal(_ text: String) -> Code { goals.code(of: text) }
    func currency(_ text: String) -> Code { currencies.code(of: text) }

    /// What the texts take, about; in bytes.
    var size: Int {
        refs.size + refLists.size + referers.size + targets.size + goals.size + currencies.size
    }

    /// Forgets every text, and with it the meaning of every code given out: for one who reads person by person and keeps
    /// no code from one to the next.
    func removeAll() {
        refs = CodeTable()
        refLists = CodeTable()
        members.removeAll(keepingCapacity: true)
        memberEnds.removeAll(keepingCapacity: true)
        referers = CodeTable()
        targets = CodeTable()
        goals = CodeTable()
        currencies = CodeTable()
    }

    /// The code of a list of refs, `none` where it is empty. A ref that stands twice in a list counts once.
    func refList(_ texts: [String]) -> Code {
        guard !texts.isEmpty else { return .none }
        var elements: [UInt8] = []
        for text in texts {
            withUnsafeBytes(of: UInt32(text.utf8.count).bigEndian) { elements.append(contentsOf: $0) }
            elements.append(contentsOf: text.utf8)
        }
        return elements.withUnsafeBytes { refList(elements: $0) }
    }

    /// The code of a list of refs given as the elements of PostgreSQL's binary `text[]`: each its length in 4 bytes, big
    /// end first, then its bytes.
    func refList(elements: UnsafeRawBufferPointer) -> Code {
        guard !elements.isEmpty else { return .none }
        let code = refLists.code(of: elements)
        if code.index == memberEnds.count { addMembers(of: elements) }
        return code
    }

    /// The refs of a list; none for the code `none`.
    func refs(of list: Code) -> ArraySlice<Code> {
        guard !list.isNone else { return [] }
        return members[(list.index == 0 ? 0 : memberEnds[list.index - 1])..<memberEnds[list.index]]
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
