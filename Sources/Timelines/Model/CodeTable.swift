/// Texts, numbered from 0 in the order of their first appearance.
///
/// Looking up a known text allocates nothing. `Hasher` uses a random key, so a sender that chooses refs cannot slow a
/// report down.
package struct CodeTable: Sendable {
    /// The bytes of all texts, one after the other.
    private var bytes: [UInt8] = []
    /// Where each text ends in `bytes`.
    private var ends: [Int] = []
    private var hashes: [UInt32] = []
    /// Open addressing; its size is a power of two and at least twice the number of texts.
    private var slots: [Int32] = Array(repeating: -1, count: 64)

    package init() {}

    package var count: Int { ends.count }

    /// The memory of the table, in bytes; if it is about to grow, with its copy.
    package var size: Int { size(growing: true) }

    /// - Parameter growing: whether texts may still come.
    func size(growing: Bool) -> Int {
        let growth = growing && ends.count * 2 > slots.count / 8 * 7 ? 3 : 1
        let tables = ends.heldSize(growing: growing) + hashes.heldSize(growing: growing)
        return bytes.heldSize(growing: growing) + tables + slots.count * MemoryLayout<Int32>.stride * growth
    }

    package mutating func code(of text: UnsafeRawBufferPointer) -> Code {
        let (known, slot, hash) = find(text)
        if let known { return known }
        let code = Int32(ends.count)
        slots[slot] = code
        bytes.append(contentsOf: text)
        ends.append(bytes.count)
        hashes.append(hash)
        if ends.count * 2 > slots.count { grow() }
        return Code(rawValue: code)
    }

    /// Frees the memory that only looking up codes needs. Afterwards, texts have no codes, and none may be added.
    mutating func forgetHashes() {
        hashes = []
        slots = [-1]
    }

    /// Nil for a text that has no code.
    func knownCode(of text: UnsafeRawBufferPointer) -> Code? {
        find(text).code
    }

    private func find(_ text: UnsafeRawBufferPointer) -> (code: Code?, slot: Int, hash: UInt32) {
        var hasher = Hasher()
        hasher.combine(bytes: text)
        let hash = UInt32(truncatingIfNeeded: hasher.finalize())
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let candidate = Int(slots[slot])
            if hashes[candidate] == hash, holds(text, at: candidate) {
                return (Code(rawValue: slots[slot]), slot, hash)
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return (nil, slot, hash)
    }

    package mutating func code(of text: String) -> Code {
        var text = text
        return text.withUTF8 { code(of: UnsafeRawBufferPointer($0)) }
    }

    package mutating func code(ofBytes text: some Sequence<UInt8>) -> Code {
        Array(text).withUnsafeBytes { code(of: $0) }
    }

    /// Only for codes of this table.
    package func text(of code: Code) -> String {
        String(decoding: bytes(of: code), as: UTF8.self)
    }

    /// Only for codes of this table.
    package func bytes(of code: Code) -> ArraySlice<UInt8> {
        bytes[range(of: code.index)]
    }

    /// Only for codes of this table.
    func withBytes<Result>(of code: Code, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let range = range(of: code.index)
        return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    private func range(of index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }

    private func holds(_ text: UnsafeRawBufferPointer, at index: Int) -> Bool {
        let range = range(of: index)
        guard range.count == text.count else { return false }
        return bytes.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[range]).elementsEqual(text) }
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for (code, hash) in hashes.enumerated() {
            var slot = Int(hash) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(code)
        }
    }
}
