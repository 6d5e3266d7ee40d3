#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where the times of a fold go that it does not keep in memory: a file in the folder for temporary files (`TMPDIR`, else
/// `/tmp`) without a name, so that it goes with the process, however that ends.
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
    private let folder: String
    private var keptCount = 0
    /// -1: none yet.
    private var file: Int32 = -1
    private var size = 0
    /// Whether there was room so far.
    private var hasRoom = true

    /// - Parameters:
    ///   - limit: how many times stay in memory, beside those of pieces that are not full.
    ///   - folder: the one for temporary files; nil: the system's.
    init(limit: Int = defaultLimit, folder: String? = nil) {
        self.limit = limit
        let asked = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        self.folder = folder ?? (asked.isEmpty ? "/tmp" : asked)
    }

    deinit {
        if file >= 0 { close(file) }
    }

    /// - Returns: where the times are in the file; nil: they are to be kept in memory.
    func add(_ times: [ElapsedTimes.Time]) -> Place? {
        if keptCount + times.count > limit, hasRoom {
            if let place = write(times) { return place }
            hasRoom = false
        }
        keptCount += times.count
        return nil
    }

    private func write(_ times: [ElapsedTimes.Time]) -> Place? {
        if file < 0 { file = Self.makeFile(in: folder) }
        guard file >= 0 else { return nil }
        let failure = times.withUnsafeBytes { bytes in
            Self.transfer(bytes.count) { done in
                pwrite(file, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(size + done))
            }
        }
        guard failure == 0 else { return nil }
        defer { size += times.count * MemoryLayout<ElapsedTimes.Time>.stride }
        return Place(offset: size, count: times.count)
    }

    /// - Throws: `TimelineError.lostTimes`.
    func times(at place: Place) throws(TimelineError) -> [ElapsedTimes.Time] {
        var failure: Int32 = 0
        let times = [ElapsedTimes.Time](unsafeUninitializedCapacity: place.count) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            let size = place.count * MemoryLayout<ElapsedTimes.Time>.stride
            failure = Self.transfer(size) { done in
                pread(file, bytes.baseAddress.map { $0 + done }, size - done, off_t(place.offset + done))
            }
            count = failure == 0 ? place.count : 0
        }
        guard failure == 0 else { throw .lostTimes(String(cString: strerror(failure))) }
        return times
    }

    /// Calls `body`, which reads or writes some of the rest, with how many bytes are done until all are.
    ///
    /// - Returns: 0, or the number of the error; an end that comes too early is one.
    private static func transfer(_ size: Int, _ body: (Int) -> Int) -> Int32 {
        var done = 0
        while done < size {
            let count = body(done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            done += count
        }
        return 0
    }

    /// - Returns: -1 where none can be made.
    private static func makeFile(in folder: String) -> Int32 {
        var path = Array("\(folder)/tributary-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { return file }
        unlink(path)
        // No program that this one starts has it.
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return file
    }
}
