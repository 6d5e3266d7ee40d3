import CLibpq
import Logging

/// Owns a libpq connection. Not Sendable: it lives inside the actor, and the connection ends with it.
final class ConnectionHandle {
    let pointer: OpaquePointer
    private let notices: NoticeReceiver

    init(owning pointer: OpaquePointer, logger: Logger?) {
        self.pointer = pointer
        notices = NoticeReceiver(logger: logger)
        PQsetNoticeReceiver(
            pointer,
            { receiver, result in
                guard let receiver, let result else { return }
                Unmanaged<NoticeReceiver>.fromOpaque(receiver).takeUnretainedValue().receive(result)
            },
            Unmanaged.passUnretained(notices).toOpaque()
        )
    }

    deinit {
        PQfinish(pointer)
    }

    var isUsable: Bool { PQstatus(pointer) == CONNECTION_OK && !notices.sessionHasEnded }

    /// Whether an idle connection is still alive. It makes no round trip: it reads what the server has sent meanwhile,
    /// and so notices the end of the stream.
    func isAliveWhileIdle() -> Bool {
        // A server that ends a session sends a message first. The message and the end of the stream may take two reads.
        for _ in 0..<4 {
            guard isUsable else { return false }
            guard postgres_socket_wait(PQsocket(pointer), 0, 0) != 0 else { return true }
            guard PQconsumeInput(pointer) == 1 else { return false }
            // Processes what was read. On an idle connection, only notices and settings arrive.
            _ = PQisBusy(pointer)
        }
        return isUsable
    }

    /// libpq's last error message, in one line.
    var errorMessage: String {
        String(cString: PQerrorMessage(pointer))
            .split(whereSeparator: \.isNewline)
            .map { $0.drop(while: \.isWhitespace) }
            .filter { !$0.hasPrefix("LOCATION:") }
            .joined(separator: "; ")
    }
}
