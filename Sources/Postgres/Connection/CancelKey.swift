import CLibpq

/// Cancels a session's statement from another thread, while the connection itself is busy.
final class CancelKey: @unchecked Sendable {
    /// Guard of `@unchecked Sendable`: `PQcancel` may be called from any thread on a key that never changes (libpq
    /// documentation, "Canceling Queries in Progress").
    private let pointer: OpaquePointer

    init?(_ handle: ConnectionHandle) {
        guard let pointer = PQgetCancel(handle.pointer) else { return nil }
        self.pointer = pointer
    }

    deinit {
        PQfreeCancel(pointer)
    }

    /// Sends the request over a connection of its own, and returns when the server has received it. It reports nothing:
    /// the statement's own result says whether it was cancelled.
    func requestCancellation() {
        var message = [CChar](repeating: 0, count: 256)
        _ = PQcancel(pointer, &message, Int32(message.count))
    }
}
