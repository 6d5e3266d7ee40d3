import Timelines

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
