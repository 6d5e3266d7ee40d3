import JSONReading

/// The places where a text was not UTF-8. The bytes there are replaced by U+FFFD; all other text can be read.
struct TextDamage {
    /// Offsets of the replacements in the repaired text, ascending.
    private(set) var offsets: [Int] = []

    /// Whether a part of the repaired text contains a replacement.
    func touches(_ range: Range<Int>) -> Bool {
        guard !offsets.isEmpty else { return false }
        var low = 0
        var high = offsets.count
        while low < high {
            let middle = (low + high) / 2
            if offsets[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < offsets.count && offsets[low] < range.upperBound
    }

    /// The fault of a damaged event. It names the damaged field if that is known.
    func fault(in node: JSONNode) -> EventFault {
        for (key, value) in node.members where touches(value.sourceRange) {
            if let field = EventField(key: key) {
                return EventFault(.invalidText, field, "\(field.key) is not valid UTF-8")
            }
        }
        return EventFault(.invalidText, "the event is not valid UTF-8")
    }

    /// The text with each byte outside of a well-formed sequence (Unicode 16, table 3-7) replaced by U+FFFD.
    static func repairing(_ bytes: UnsafeBufferPointer<UInt8>) -> (text: [UInt8], damage: TextDamage) {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + 64)
        var damage = TextDamage()
        var position = 0
        while position < bytes.count {
            let length = sequenceLength(bytes, at: position)
            if length > 0 {
                text.append(contentsOf: bytes[position..<position + length])
                position += length
            } else {
                damage.offsets.append(text.count)
                text.append(contentsOf: [0xEF, 0xBF, 0xBD])
                position += 1
            }
        }
        return (text, damage)
    }

    /// The length of the well-formed sequence that begins here; 0 if there is none.
    private static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> Int {
        let first = bytes[position]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard position + length <= bytes.count, second.contains(bytes[position + 1]) else { return 0 }
        for offset in 2..<max(length, 2) where bytes[position + offset] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
