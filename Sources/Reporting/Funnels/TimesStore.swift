import Timelines

/// Where the times of a fold go: many of them to a temporary file.
///
/// Where there is no room for it they stay in memory: a fold takes more of it then, and its answer is the same.
final class TimesStore {
    /// Where a piece lies in the file.
    struct Place {
        fileprivate var offset: Int
        fileprivate var count: Int
    }

    /// 3 MB. To write and read the others takes no time that can be measured.
    static let defaultLimit = 500_000

    private let limit: Int
    private var keptCount = 0
    private let file: TemporaryFile

    /// - Parameters:
    ///   - limit: how many times stay in memory, beside those of pieces that are not full.
    ///   - folder: the one for temporary files; nil: the system's.
    init(limit: Int = defaultLimit, folder: String? = nil) {
        self.limit = limit
        file = TemporaryFile(in: folder)
    }

    /// - Returns: where the times are in the file; nil: they are to be kept in memory.
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
