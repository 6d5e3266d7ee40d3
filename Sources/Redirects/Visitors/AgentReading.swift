import Text

/// What a user agent says, read in one pass (docs/redirects.md, *Who asks*).
struct AgentReading {
    /// The words anywhere. `bot` counts only outside of device comments.
    private(set) var marks: AgentMarks = []
    /// Whether nothing but the version of Safari follows its name: no other browser built on it.
    private(set) var endsWithSafari = false
    private(set) var isEmpty = true

    init(_ agent: String) {
        var agent = agent
        agent.withUTF8 { read($0) }
    }

    private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        let automaton = AgentWords.automaton
        var state = WordAutomaton.startState
        var comment = Comment()
        _ = automaton.step(&state, AgentWords.start)
        for index in bytes.indices {
            let byte = bytes[index].lowercasedASCII
            if byte > 0x20 { isEmpty = false }
            if byte == UInt8(ascii: "(") { comment.open(followsAndroid: Self.followsAndroid(bytes, index)) }
            let found = automaton.step(&state, byte)
            if !found.isEmpty {
                if comment.isOfDevice {
                    marks.formUnion(found.subtracting(.bot))
                    comment.found.formUnion(found)
                } else {
                    marks.formUnion(found)
                }
                if found.contains(.safari) { endsWithSafari = true }
            }
            if byte == UInt8(ascii: " "), endsWithSafari { endsWithSafari = false }
            if byte == UInt8(ascii: ")"), comment.close() { marks.formUnion(comment.bot) }
        }
        if comment.isOfDevice { marks.formUnion(comment.bot) }
    }

    /// Instagram repeats the device in a comment of its own: `Android (31/12; 480dpi; …)`.
    private static func followsAndroid(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        let word: StaticString = "android "
        guard index >= word.utf8CodeUnitCount else { return false }
        for offset in 0..<word.utf8CodeUnitCount
        where bytes[index - word.utf8CodeUnitCount + offset].lowercasedASCII != word.utf8Start[offset] {
            return false
        }
        return true
    }

    /// The comment in parentheses that is being read, if it describes a device: the first one of the agent.
    private struct Comment {
        private var depth = 0
        private var isFirst = true
        var found: AgentMarks = []

        var isOfDevice: Bool { depth > 0 }

        mutating func open(followsAndroid: Bool) {
            if depth > 0 {
                depth += 1
            } else if isFirst || followsAndroid {
                depth = 1
                isFirst = false
                found = []
            }
        }

        /// Whether the comment ends here.
        mutating func close() -> Bool {
            guard depth > 0 else { return false }
            depth -= 1
            return depth == 0
        }

        /// `bot`, if a word says so, and the comment describes no device after all.
        var bot: AgentMarks { found.contains(.noDevice) ? found.intersection(.bot) : [] }
    }
}
