/// Finds many words in one pass over a text (Aho and Corasick, 1975). A step is one look-up in a table, whatever the
/// number of words.
struct WordAutomaton: Sendable {
    struct Word {
        var text: String
        var marks: AgentMarks
        /// Whether the word hides the shorter words at its end.
        var isException: Bool

        init(_ text: String, _ marks: AgentMarks, isException: Bool = false) {
            self.text = text
            self.marks = marks
            self.isException = isException
        }
    }

    /// The column of each byte. Bytes that are in no word share column 0.
    private let columns: [UInt8]
    private let width: Int
    /// The state after a state and a byte: `states[state * width + column]`.
    private let states: [UInt32]
    /// What the words say that end in a state.
    private let marks: [AgentMarks]

    /// - Parameter words: of fewer than 256 different bytes; the same text may be there twice.
    init(_ words: [Word]) {
        var columns = [UInt8](repeating: 0, count: 256)
        var width = 1
        for byte in words.lazy.flatMap(\.text.utf8) where columns[Int(byte)] == 0 {
            columns[Int(byte)] = UInt8(truncatingIfNeeded: width)
            width += 1
        }
        var tree = Tree(width: width)
        for word in words { tree.insert(word, columns) }
        tree.connect()
        self.columns = columns
        self.width = width
        states = tree.states
        marks = tree.marks
    }

    static let startState = 0

    /// Reads one byte.
    ///
    /// - Parameter state: before the byte; afterwards, the state after it.
    /// - Returns: what the words say that end with this byte.
    @inline(__always)
    func step(_ state: inout Int, _ byte: UInt8) -> AgentMarks {
        state = Int(states[state &* width &+ Int(columns[Int(byte)])])
        return marks[state]
    }

    /// The states while they are made. A state is the beginning of a word; 0 is the empty one.
    private struct Tree {
        let width: Int
        var states: [UInt32]
        var marks: [AgentMarks] = [[]]
        var isException = [false]

        init(width: Int) {
            self.width = width
            states = [UInt32](repeating: 0, count: width)
        }

        mutating func insert(_ word: Word, _ columns: [UInt8]) {
            var state = 0
            for byte in word.text.utf8 {
                let place = state * width + Int(columns[Int(byte)])
                if states[place] == 0 {
                    states[place] = UInt32(marks.count)
                    states += repeatElement(0, count: width)
                    marks.append([])
                    isException.append(false)
                }
                state = Int(states[place])
            }
            marks[state].formUnion(word.marks)
            if word.isException { isException[state] = true }
        }

        /// Adds the steps that leave a word for another one that begins inside of it, breadth first.
        mutating func connect() {
            var fallbacks = [Int](repeating: 0, count: marks.count)
            var queue = [0]
            var position = 0
            while position < queue.count {
                let state = queue[position]
                position += 1
                for column in 0..<width {
                    let place = state * width + column
                    // Where this step leads from the longest other beginning.
                    let other = state == 0 ? 0 : Int(states[fallbacks[state] * width + column])
                    let next = Int(states[place])
                    if next == 0 {
                        states[place] = UInt32(other)
                    } else {
                        fallbacks[next] = other
                        if !isException[next] { marks[next].formUnion(marks[other]) }
                        queue.append(next)
                    }
                }
            }
        }
    }
}
