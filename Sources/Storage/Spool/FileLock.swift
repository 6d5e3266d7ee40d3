import Foundation

/// An exclusive lock on a file that ends with the process, however it ends.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// Nil where another process has it.
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
        // Not by closing alone: a child process that is just being made still has the file open.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
