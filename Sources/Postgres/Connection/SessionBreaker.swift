#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import CLibpq
import Synchronization

/// Ends a session from another thread while libpq waits in it for a server that says nothing: a frozen one, or one behind
/// a proxy that has lost it. No limit of the server's own helps then, and the network's do not where a proxy acknowledges.
///
/// Holds a duplicate of the socket, because libpq may have closed its own by then and the number may be another file's.
final class SessionBreaker: Sendable {
    private let descriptor = Mutex<Int32>(-1)

    func begin(_ handle: ConnectionHandle) {
        end()
        let duplicate = fcntl(PQsocket(handle.pointer), F_DUPFD_CLOEXEC, 0)
        descriptor.withLock { $0 = duplicate }
    }

    /// libpq's call returns at once, with a lost connection.
    func breakOff() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// The session has ended: without this the duplicate would keep the socket open.
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
