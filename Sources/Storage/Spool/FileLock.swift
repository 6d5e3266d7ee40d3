import Foundation

/// An exclusive lock on a file. It ends with the process, even if the process is killed.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// Nil if another process holds the lock.
    init?(path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SpoolError.unusable("\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit {
        // Closing alone is not enough: a child process that is just being started still has the file open.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
