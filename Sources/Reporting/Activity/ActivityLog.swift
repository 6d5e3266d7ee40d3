import Timelines

/// The people that a fold does not count at once, each with the groups and periods in which they count. It goes to a
/// temporary file, so its memory does not grow.
///
/// If there is no room for the file, it stays in memory: the fold then needs more memory, and its result is the same.
final class ActivityLog {
    private enum Piece {
        case kept([UInt32])
        case stored(offset: Int, count: Int)
    }

    /// 2 MB.
    private static let pieceSize = 1 << 19

    private let file = TemporaryFile()
    private var pieces: [Piece] = []
    /// People, one after the other: how many groups and runs there are, then both. A person is in one piece.
    private var last: [UInt32] = []

    /// - Parameter groups: positions, at most 255.
    func append(_ runs: [ActivityCounts.Run], to groups: [Int32]) {
        last.append(UInt32(groups.count) << 24 | UInt32(runs.count))
        for group in groups { last.append(UInt32(bitPattern: group)) }
        for run in runs { last.append(run.rawValue) }
        guard last.count >= Self.pieceSize else { return }
        if let offset = file.append(last) {
            pieces.append(.stored(offset: offset, count: last.count))
            last.removeAll(keepingCapacity: true)
        } else {
            pieces.append(.kept(last))
            last = []
        }
    }

    /// Hands out each person.
    ///
    /// - Throws: `TimelineError.lostTemporaryFile`.
    func forEach(_ body: ([Int], [ActivityCounts.Run]) -> Void) throws {
        for piece in pieces + [.kept(last)] {
            let values: [UInt32] =
                switch piece {
                case .kept(let values): values
                case .stored(let offset, let count): try file.read(count, at: offset)
                }
            var position = 0
            while position < values.count {
                let groups = position + 1..<position + 1 + Int(values[position] >> 24)
                let runs = groups.upperBound..<groups.upperBound + Int(values[position] & 0xFF_FFFF)
                body(values[groups].map { Int($0) }, values[runs].map { ActivityCounts.Run(rawValue: $0) })
                position = runs.upperBound
            }
        }
    }
}
