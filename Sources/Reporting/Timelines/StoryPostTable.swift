import Events
import InboundLinks

/// The posts that touches came from, numbered from 0.
struct StoryPostTable: Sendable {
    private var ids = CodeTable()
    private var times: [Timestamp] = []

    mutating func code(ofPost id: EventID, at time: Timestamp) -> Code {
        let code = withUnsafeBytes(of: (id.high, id.low)) { ids.code(of: $0) }
        if code.index == times.count { times.append(time) }
        return code
    }

    /// Only for codes of this table.
    func id(of code: Code) -> EventID {
        ids.withBytes(of: code) { bytes in
            EventID(
                high: bytes.loadUnaligned(as: UInt64.self),
                low: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
    }

    /// When the story was posted. Only for codes of this table.
    func time(of code: Code) -> Timestamp { times[code.index] }
}
