import Timelines

/// The exact times from starts to a step, in microseconds. A funnel keeps one for each person, to compute percentiles.
struct ElapsedTimes {
    /// A time in 6 bytes. No window is longer than 90 days, which is 2⁴³ µs.
    struct Time: BitwiseCopyable {
        private var low: UInt16
        private var middle: UInt16
        private var high: UInt16

        /// - Parameter microseconds: at least 0, and less than 2⁴⁸.
        init(microseconds: Int64) {
            low = UInt16(truncatingIfNeeded: microseconds)
            middle = UInt16(truncatingIfNeeded: microseconds >> 16)
            high = UInt16(truncatingIfNeeded: microseconds >> 32)
        }

        var microseconds: Int64 { Int64(high) << 32 | Int64(middle) << 16 | Int64(low) }
    }

    private enum Piece {
        case kept([Time])
        case stored(TimesStore, TimesStore.Place)
    }

    /// Small, because a report may have ten thousands of groups, each with a piece that is not full.
    static let pieceSize = 256

    private(set) var count = 0
    private var pieces: [Piece] = []
    /// The newest times, fewer than a piece.
    private var last: [Time] = []

    /// - Parameters:
    ///   - microseconds: at least 0, and less than 2⁴⁸.
    ///   - store: takes pieces that are full.
    mutating func append(_ microseconds: Int64, to store: TimesStore) {
        last.append(Time(microseconds: microseconds))
        count += 1
        guard last.count == Self.pieceSize else { return }
        if let place = store.add(last) {
            pieces.append(.stored(store, place))
            last.removeAll(keepingCapacity: true)
        } else {
            pieces.append(.kept(last))
            last = []
            last.reserveCapacity(Self.pieceSize)
        }
    }

    static func += (times: inout ElapsedTimes, others: ElapsedTimes) {
        times.count += others.count
        times.pieces += others.pieces
        if !others.last.isEmpty { times.pieces.append(.kept(others.last)) }
    }

    /// Hands out all times in microseconds, some hundred at a time, in no order.
    ///
    /// - Throws: `TimelineError.lostTemporaryFile`.
    func forEachPiece(_ body: ([Int64]) -> Void) throws {
        for piece in pieces {
            switch piece {
            case .kept(let times): body(times.map(\.microseconds))
            case .stored(let store, let place): body(try store.times(at: place).map(\.microseconds))
            }
        }
        body(last.map(\.microseconds))
    }
}

/// Holds the times of a fold. If there are many, they go to a temporary file.
///
/// If there is no room for the file, they stay in memory: the fold then needs more memory, and its result is the same.
final class TimesStore {
    /// The place of a piece in the file.
    struct Place {
        fileprivate var offset: Int
        fileprivate var count: Int
    }

    /// 3 MB. Writing and reading the others takes no measurable time.
    static let defaultLimit = 500_000

    private let limit: Int
    private var keptCount = 0
    private let file: TemporaryFile

    /// - Parameters:
    ///   - limit: how many times stay in memory, beside those of pieces that are not full.
    ///   - folder: the folder for the temporary file; nil for the system's.
    init(limit: Int = defaultLimit, folder: String? = nil) {
        self.limit = limit
        file = TemporaryFile(in: folder)
    }

    /// - Returns: the place of the times in the file; nil if the caller must keep them in memory.
    func add(_ times: [ElapsedTimes.Time]) -> Place? {
        if keptCount + times.count > limit, let offset = file.append(times) {
            return Place(offset: offset, count: times.count)
        }
        keptCount += times.count
        return nil
    }

    /// - Throws: `TimelineError.lostTemporaryFile`.
    func times(at place: Place) throws(TimelineError) -> [ElapsedTimes.Time] {
        try file.read(place.count, at: place.offset)
    }
}
