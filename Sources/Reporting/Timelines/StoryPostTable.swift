import Events
import InboundLinks

/// The posts that touches came from, numbered from 0.
struct StoryPostTable: Sendable {
    private var ids = CodeTable()
    private var times: [Timestamp] = []

    init() {}

    /// Of posts that have their numbers already, and get no others.
    init(numbered times: [Timestamp]) {
        self.times = times
    }

    mutating func code(ofPost id: EventID, at time: Timestamp) -> Code {
        let code = withUnsafeBytes(of: (id.high, id.low)) { ids.code(of: $0) }
        if code.index == times.count { times.append(time) }
        return code
    }

    /// When the story was posted. Only for codes of this table.
    func time(of code: Code) -> Timestamp { times[code.index] }
}
