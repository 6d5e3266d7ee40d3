#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import CLibpq
import Synchronization

/// Ends a session from another thread while libpq waits for a silent server: one that is frozen, or behind a proxy that
/// has lost it. The server's own limits do not work then, and those of the network do not if a proxy acknowledges the
/// data.
///
/// Holds a duplicate of the socket. libpq may have closed its own by then, and another file may have its number.
final class SessionBreaker: Sendable {
    private let descriptor = Mutex<Int32>(-1)

    func begin(_ handle: ConnectionHandle) {
        end()
        let duplicate = fcntl(PQsocket(handle.pointer), F_DUPFD_CLOEXEC, 0)
        descriptor.withLock { $0 = duplicate }
    }

    /// Shuts the socket down. libpq's waiting call returns immediately with a lost connection.
    func breakOff() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Closes the duplicate. Call it when the session ends: otherwise the duplicate keeps the socket open.
    func end() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    deinit {
        end()
    }
}
