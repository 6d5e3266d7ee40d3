#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The lock that a program holds while it creates, starts or stops the cluster, so that programs that start together do
/// this once. The system releases it when the holder dies.
struct ClusterLock {
    let path: String
    /// The time limit for the wait: longer than a slow start.
    var patience: Duration = .seconds(150)
    /// Ends the wait.
    var cancellation: StartCancellation? = nil

    /// - Throws: ``EmbeddedPostgresError/abandoned`` before the body, if the start is abandoned.
    func whileHeld<R>(
        _ body: () throws(EmbeddedPostgresError) -> R
    ) throws(EmbeddedPostgresError) -> R {
        // The server's account could put a link here; it is not followed.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw .folderUnusable(path: path, reason: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        let deadline = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            try cancellation?.check()
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else {
                throw .locked(path: path)
            }
            usleep(10_000)
        }
        try cancellation?.check()
        return try body()
    }
}
