import Foundation

/// An exclusive lock on a file. It ends with the process, even if the process is killed.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// Nil if another process holds the lock.
    init?(path: String) throws {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw SpoolError.unusable("\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            return nil
        }
        // Only now: once every property has a value, a failing initializer runs `deinit`. That would close the number a
        // second time, when it may be another thread's already.
        descriptor = file
    }

    deinit {
        // Closing alone is not enough: a child process that is just being started still has the file open.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
