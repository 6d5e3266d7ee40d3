import Timelines

/// What a fold keeps of single people until it knows which groups are shown: for each person a list of numbers. It goes
/// to a temporary file, so its memory does not grow.
///
/// If there is no room for the file, some of it stays in memory. Beyond that, the log is lost and cannot be read.
final class PeopleLog {
    private enum Piece {
        case kept([UInt32])
        case stored(offset: Int, count: Int)
    }

    /// 256 KB.
    private static let pieceSize = 1 << 16
    /// 16 MB.
    private static let defaultKeptLimit = 1 << 22

    private let file: TemporaryFile
    private let keptLimit: Int
    private var keptCount = 0
    private var isLost = false
    private var pieces: [Piece] = []
    /// People, one after the other: how many numbers there are, then these. A person is in one piece.
    private var last: [UInt32] = []

    /// - Parameters:
    ///   - file: gets what is no piece yet.
    ///   - keptLimit: how many numbers stay in memory if the file has no room.
    init(_ file: TemporaryFile, keptLimit: Int = defaultKeptLimit) {
        self.file = file
        self.keptLimit = keptLimit
    }

    /// How many numbers were appended.
    private(set) var count = 0

    func append(_ person: [UInt32]) {
        count += 1 + person.count
        last.append(UInt32(person.count))
        last += person
        if last.count >= Self.pieceSize { endPiece() }
    }

    private func endPiece() {
        defer { last.removeAll(keepingCapacity: true) }
        if isLost { return }
        if let offset = file.append(last) { return pieces.append(.stored(offset: offset, count: last.count)) }
        keptCount += last.count
        isLost = keptCount > keptLimit
        if isLost { pieces = [] } else { pieces.append(.kept(last)) }
    }

    /// Hands out each person.
    ///
    /// - Throws: `TimelineError.lostTemporaryFile`.
    func forEach(_ body: (ArraySlice<UInt32>) -> Void) throws(TimelineError) {
        if isLost { throw .lostTemporaryFile("there is no room for it") }
        for piece in pieces + [.kept(last)] {
            let values: [UInt32] =
                switch piece {
                case .kept(let values): values
                case .stored(let offset, let count): try file.read(count, at: offset)
                }
            var position = 0
            while position < values.count {
                let end = position + 1 + Int(values[position])
                body(values[position + 1..<end])
                position = end
            }
        }
    }
}
