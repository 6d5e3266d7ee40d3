/// The pool's bookkeeping, without connections being made or waited for: which may be lent, who waits, what is closed.
struct PoolState<Connection: Sendable, Waiter: Sendable>: Sendable {
    enum Lease: Sendable {
        /// Use this one, after a look whether it is still there.
        case idle(Connection)
        /// Make a new connection.
        case new
    }

    enum Admission: Sendable {
        case granted(Lease)
        case wait
        case closed
    }

    /// What follows from a connection that came back.
    struct Return: Sendable {
        /// Whom to serve next, with what.
        var next: (waiter: Waiter, lease: Lease)?
        /// Who waited for the pool's end, which has come.
        var closers: [Waiter] = []
    }

    private enum Phase {
        case open
        case closing
        case closed
    }

    private let size: Int
    private var phase = Phase.open
    private var leased = 0
    /// The most recently used last: it is the likeliest to be alive and its statements to be prepared.
    private var idle: [Connection] = []
    private var waiters: [(id: Int, waiter: Waiter)] = []
    private var closers: [Waiter] = []
    private var nextWaiterID = 0

    init(size: Int) {
        self.size = max(1, size)
    }

    var isClosed: Bool { phase != .open }
    var leasedCount: Int { leased }
    var idleCount: Int { idle.count }
    var waiterCount: Int { waiters.count }

    mutating func makeWaiterID() -> Int {
        nextWaiterID += 1
        return nextWaiterID
    }

    /// Asks for a connection. Whoever finds none enqueues itself under the same lock.
    mutating func admit() -> Admission {
        guard phase == .open else { return .closed }
        guard leased < size else { return .wait }
        return .granted(takeLease())
    }

    private mutating func takeLease() -> Lease {
        leased += 1
        return idle.popLast().map { .idle($0) } ?? .new
    }

    mutating func enqueue(_ waiter: Waiter, id: Int) {
        waiters.append((id, waiter))
    }

    /// - Returns: the waiter, nil if it has been served already.
    mutating func removeWaiter(_ id: Int) -> Waiter? {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return waiters.remove(at: index).waiter
    }

    /// Takes back what a lease gave.
    ///
    /// - Parameter connection: nil if it is gone. A closed pool lets go of it, and so ends it.
    mutating func giveBack(_ connection: Connection?) -> Return {
        leased -= 1
        guard phase == .open else {
            return Return(closers: leased == 0 ? finishClosing() : [])
        }
        if let connection {
            idle.append(connection)
        }
        guard !waiters.isEmpty else { return Return() }
        return Return(next: (waiters.removeFirst().waiter, takeLease()))
    }

    /// Refuses new work.
    ///
    /// - Returns: the idle connections, to be ended, and the waiters, to be refused.
    mutating func beginClosing() -> (idle: [Connection], waiters: [Waiter]) {
        guard phase == .open else { return ([], []) }
        phase = leased == 0 ? .closed : .closing
        defer {
            idle.removeAll()
            waiters.removeAll()
        }
        return (idle, waiters.map(\.waiter))
    }

    /// - Returns: false if there is nothing to wait for.
    mutating func waitUntilClosed(_ closer: Waiter) -> Bool {
        guard phase == .closing else { return false }
        closers.append(closer)
        return true
    }

    private mutating func finishClosing() -> [Waiter] {
        phase = .closed
        defer { closers.removeAll() }
        return closers
    }
}
