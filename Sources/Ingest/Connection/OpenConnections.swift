import HummingbirdCore
import Synchronization

/// The open connections: which of them make room for others, and whose clients are still there.
///
/// Anyone can open connections and be silent. So when the last place is taken, the oldest connection that has shown no
/// key closes, and the next one gets its place. Keys for apps do not count, because anyone can read them.
final class OpenConnections: AvailableConnectionsDelegate {
    private struct Stranger {
        /// Numbers grow.
        let number: UInt64
        let makeRoom: @Sendable () -> Void
    }

    private struct State {
        var count = 0
        var lastNumber: UInt64 = 0
        /// The connections that have shown no key.
        var strangers: [ObjectIdentifier: Stranger] = [:]
        var clients: [ObjectIdentifier: ClientPresence] = [:]
    }

    private let limit: Int
    private let onEviction: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameter onEviction: called for each connection that has to make room.
    init(limit: Int, onEviction: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.onEviction = onEviction
    }

    func connectionOpened() {
        state.withLock { $0.count += 1 }
        makeRoom()
    }

    func connectionClosed() {
        state.withLock { $0.count -= 1 }
    }

    func isAcceptingNewConnections() -> Bool {
        state.withLock { $0.count < limit }
    }

    /// Adds a connection that has shown no key yet.
    ///
    /// - Parameter makeRoom: called at most once, on any thread. If the connection cannot close immediately, it calls
    ///   ``makeRoom()``, so that another one does.
    func add(
        _ id: ObjectIdentifier,
        of client: ClientPresence = ClientPresence(),
        makeRoom: @escaping @Sendable () -> Void
    ) {
        state.withLock { state in
            state.lastNumber += 1
            state.strangers[id] = Stranger(number: state.lastNumber, makeRoom: makeRoom)
            state.clients[id] = client
        }
    }

    /// The connection has shown a key.
    func keep(_ id: ObjectIdentifier) {
        state.withLock { $0.strangers[id] = nil }
    }

    /// The connection is closed.
    func remove(_ id: ObjectIdentifier) {
        let client = state.withLock { state in
            state.strangers[id] = nil
            return state.clients.removeValue(forKey: id)
        }
        client?.leave()
    }

    /// The client of a connection, which has gone if the connection is closed.
    func client(of id: ObjectIdentifier) -> ClientPresence {
        state.withLock { $0.clients[id] } ?? ClientPresence(isGone: true)
    }

    /// Closes the oldest connection without a key, if all places are taken.
    func makeRoom() {
        let oldest = state.withLock { state -> Stranger? in
            guard state.count >= limit,
                let oldest = state.strangers.min(by: { $0.value.number < $1.value.number })
            else { return nil }
            return state.strangers.removeValue(forKey: oldest.key)
        }
        guard let oldest else { return }
        onEviction()
        oldest.makeRoom()
    }
}
