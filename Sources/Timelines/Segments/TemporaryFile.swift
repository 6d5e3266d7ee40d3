import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file for values that a fold does not keep in memory. It is in the folder for temporary files (`TMPDIR`, else
/// `/tmp`) and has no name, so it disappears when the process ends, however that happens. It always leaves some room on
/// the disk, because storing events may need it.
package final class TemporaryFile: Sendable {
    private struct State {
        /// -1 before the file is created.
        var descriptor: Int32 = -1
        /// In bytes.
        var size = 0
        /// Whether there was room for all values so far.
        var hasRoom = true
    }

    /// 1 GiB. Below this, `tributary doctor` warns.
    static let defaultRoomLeft = 1 << 30

    private let folder: String?
    private let roomLeft: Int
    private let state = Mutex(State())

    /// The file is created when the first values are appended.
    ///
    /// - Parameters:
    ///   - folder: nil for the system's folder.
    ///   - roomLeft: how many bytes stay free on its disk.
    package init(in folder: String? = nil, leaving roomLeft: Int = defaultRoomLeft) {
        self.folder = folder
        self.roomLeft = roomLeft
    }

    deinit {
        state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } }
    }

    /// - Returns: the offset of the values in bytes. Nil if there is no room, or was none before: the caller must keep
    ///   them in memory.
    package func append<Value: BitwiseCopyable>(_ values: [Value]) -> Int? {
        state.withLock { state in
            guard state.hasRoom else { return nil }
            if state.descriptor < 0 { state.descriptor = Self.make(in: folder) }
            let isDone = values.withUnsafeBytes { bytes in
                guard Self.freeSpace(of: state.descriptor) >= roomLeft + bytes.count else { return false }
                let failure = Self.transfer(bytes.count) { done in
                    let place = bytes.baseAddress.map { $0 + done }
                    return pwrite(state.descriptor, place, bytes.count - done, off_t(state.size + done))
                }
                return failure == 0
            }
            guard isDone else {
                state.hasRoom = false
                return nil
            }
            defer { state.size += values.count * MemoryLayout<Value>.stride }
            return state.size
        }
    }

    /// - Returns: -1 if no file can be created.
    private static func make(in folder: String?) -> Int32 {
        let asked = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        var path = Array("\(folder ?? (asked.isEmpty ? "/tmp" : asked))/tributary-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return descriptor }
        unlink(path)
        // Programs that this process starts must not inherit the file.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// How many bytes this user may still write; 0 if there is no file.
    private static func freeSpace(of descriptor: Int32) -> Int {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { return 0 }
        let (bytes, isBeyondAll) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isBeyondAll ? .max : Int(clamping: bytes)
    }

    /// Reads values that were appended.
    ///
    /// - Throws: `TimelineError.lostTemporaryFile`.
    package func read<Value: BitwiseCopyable>(_ count: Int, at offset: Int) throws(TimelineError) -> [Value] {
        let descriptor = state.withLock { $0.descriptor }
        var failure: Int32 = 0
        let values = [Value](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            let size = count * MemoryLayout<Value>.stride
            failure = Self.transfer(size) { done in
                pread(descriptor, bytes.baseAddress.map { $0 + done }, size - done, off_t(offset + done))
            }
            initializedCount = failure == 0 ? count : 0
        }
        guard failure == 0 else { throw .lostTemporaryFile(String(cString: strerror(failure))) }
        return values
    }

    /// Reads or writes `size` bytes: calls `body` with the number of bytes that are done, until all are. `body`
    /// transfers some of the rest.
    ///
    /// - Returns: 0, or an error number; an early end of the file is an error, too.
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
}
