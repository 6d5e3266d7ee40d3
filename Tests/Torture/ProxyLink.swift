import Foundation
import Synchronization

/// One connection through the proxy, on a thread of its own.
final class ProxyLink: Sendable {
    private enum Phase {
        case passing
        /// Drops all bytes until then.
        case silent(until: ContinuousClock.Instant)
        case over
    }

    private let client: Int32
    private let server: Int32
    private let phase = Mutex(Phase.passing)

    init(client: Int32, server: Int32) {
        self.client = client
        self.server = server
    }

    var isOver: Bool {
        phase.withLock { phase in
            if case .over = phase { true } else { false }
        }
    }

    func silence(for time: Duration) {
        phase.withLock { phase in
            if case .passing = phase { phase = .silent(until: .now + time) }
        }
    }

    func reset() {
        phase.withLock { phase in
            // The thread closes both descriptors under this lock, so they are still valid here.
            if case .over = phase { return }
            for end in [client, server] {
                LoopbackSocket.resetOnClose(end)
                shutdown(end, Int32(SHUT_RD))
            }
            phase = .silent(until: .now)
        }
    }

    func run() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var isOpen = (client: true, server: true)
        while isOpen.client || isOpen.server {
            var requests = [
                pollfd(fd: isOpen.client ? client : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen.server ? server : -1, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&requests, 2, 200)
            var isSilent = false
            switch phase.withLock({ $0 }) {
            case .passing: break
            case .silent(let end):
                isSilent = true
                if ContinuousClock.now >= end { isOpen = (false, false) }
            case .over: return
            }
            guard count > 0 else { continue }
            if requests[0].revents != 0, isOpen.client {
                isOpen.client = pass(from: client, to: server, isSilent, &buffer)
            }
            if requests[1].revents != 0, isOpen.server {
                isOpen.server = pass(from: server, to: client, isSilent, &buffer)
            }
        }
        phase.withLock { phase in
            phase = .over
            close(client)
            close(server)
        }
    }

    /// - Returns: whether more bytes can come from the source.
    private func pass(from source: Int32, to target: Int32, _ isSilent: Bool, _ buffer: inout [UInt8]) -> Bool {
        let count = read(source, &buffer, buffer.count)
        guard count > 0 else {
            if !isSilent { shutdown(target, Int32(SHUT_WR)) }
            return false
        }
        guard !isSilent else { return true }
        var written = 0
        while written < count {
            let step = buffer[written..<count].withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
            guard step > 0 else {
                shutdown(source, Int32(SHUT_RD))
                return false
            }
            written += step
        }
        return true
    }
}
