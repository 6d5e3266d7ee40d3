import Foundation
import Synchronization

/// A TCP proxy on the loopback interface, whose connections can be reset, half-open or refused.
final class Proxy: Sendable {
    enum Target: Sendable {
        case port(Int)
        case unixSocket(String)
    }

    private struct State {
        var target: Target
        var isRefusing = false
        var isClosed = false
        var links: [ProxyLink] = []
    }

    let port: Int
    private let listener: Int32
    private let state: Mutex<State>

    init(to target: Target) throws {
        let listener = LoopbackSocket.make()
        guard let port = LoopbackSocket.listen(listener) else { throw TortureFailure("the proxy cannot listen") }
        self.port = port
        self.listener = listener
        state = Mutex(State(target: target))
        Thread.detachNewThread { [self] in accept() }
    }

    func setTarget(_ target: Target) { state.withLock { $0.target = target } }
    func setRefusing(_ isRefusing: Bool) { state.withLock { $0.isRefusing = isRefusing } }

    /// Resets all connections.
    func resetAll() { links().forEach { $0.reset() } }

    /// Connections stay open, but nothing passes any more. After the time they are closed, as a keepalive would do.
    func silenceAll(for time: Duration) { links().forEach { $0.silence(for: time) } }

    func close() {
        state.withLock { $0.isClosed = true }
        shutdown(listener, Int32(SHUT_RDWR))
        resetAll()
    }

    private func links() -> [ProxyLink] {
        state.withLock { state in
            state.links.removeAll { $0.isOver }
            return state.links
        }
    }

    private func accept() {
        defer { Foundation.close(listener) }
        while true {
            let client = Foundation.accept(listener, nil, nil)
            let (target, isRefusing, isClosed) = state.withLock { ($0.target, $0.isRefusing, $0.isClosed) }
            if isClosed {
                if client >= 0 { Foundation.close(client) }
                return
            }
            guard client >= 0 else {
                usleep(10_000)
                continue
            }
            guard !isRefusing, let server = LoopbackSocket.connect(to: target) else {
                LoopbackSocket.resetOnClose(client)
                Foundation.close(client)
                continue
            }
            let link = ProxyLink(client: client, server: server)
            state.withLock { state in
                state.links.removeAll { $0.isOver }
                state.links.append(link)
            }
            Thread.detachNewThread { link.run() }
        }
    }
}
