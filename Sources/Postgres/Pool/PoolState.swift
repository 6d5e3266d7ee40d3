/// The state of a ``PostgresPool``: which connections are lent, which are idle, and who waits. It does no I/O: it
/// neither makes connections nor waits.
///
/// The pool:
///
/// | phase | input | next phase | effect |
/// |---|---|---|---|
/// | open | ``beginClosing()`` while connections are lent | closing | waiters are refused, idle connections are ended |
/// | open | ``beginClosing()`` while none is lent | closed | the same |
/// | closing | ``giveBack(_:)`` of the last lent connection | closed | the closers resume |
///
/// A connection of an open pool:
///
/// | state | input | next state |
/// |---|---|---|
/// | not made, or idle | ``admit()``, with fewer than `size` lent | lent |
/// | not made, or idle | ``grow(to:)``, and a use waits | lent |
/// | lent | ``giveBack(_:)``, and nothing waits | idle |
/// | lent | ``giveBack(_:)``, and a use waits | lent to the use that has waited longest; spare uses come last |
/// | lent | ``giveBack(_:)`` with nil: it is broken | gone; a waiting use gets a lease |
struct PoolState<Connection: Sendable, Waiter: Sendable>: Sendable {
    enum Lease: Sendable {
        /// Use this connection. Check first whether it is still alive.
        case idle(Connection)
        /// Make a new connection.
        case new
    }

    enum Admission: Sendable {
        case granted(Lease)
        case wait
        case closed
    }

    /// What to do after a connection was given back.
    struct Return: Sendable {
        /// The waiter to serve next, and its lease.
        var next: (waiter: Waiter, lease: Lease)?
        /// The callers that waited for the pool to close. It is closed now.
        var closers: [Waiter] = []
    }

    private enum Phase {
        case open
        case closing
        case closed
    }

    private(set) var size: Int
    private var phase = Phase.open
    private var leased = 0
    /// The most recently used connection is the last, and is lent first: it is the likeliest to be alive and to have
    /// prepared statements.
    private var idle: [Connection] = []
    private var waiters: [(id: Int, waiter: Waiter)] = []
    /// Spare uses that wait.
    private var spareWaiters: [(id: Int, waiter: Waiter)] = []
    private var closers: [Waiter] = []
    private var nextWaiterID = 0

    init(size: Int) {
        self.size = max(1, size)
    }

    var leasedCount: Int { leased }
    var idleCount: Int { idle.count }
    /// Without spare uses.
    var waiterCount: Int { waiters.count }

    mutating func makeWaiterID() -> Int {
        nextWaiterID += 1
        return nextWaiterID
    }

    /// Asks for a connection. If the answer is `wait`, the caller calls ``enqueue(_:id:)`` under the same lock.
    mutating func admit() -> Admission {
        guard phase == .open else { return .closed }
        guard leased < size else { return .wait }
        return .granted(takeLease())
    }

    /// Allows more connections.
    ///
    /// - Returns: the waiters to serve now, and their leases.
    mutating func grow(to size: Int) -> [(waiter: Waiter, lease: Lease)] {
        self.size = max(size, self.size)
        var served: [(waiter: Waiter, lease: Lease)] = []
        while phase == .open, leased < self.size, let next = nextWaiter() { served.append((next, takeLease())) }
        return served
    }

    private mutating func nextWaiter() -> Waiter? {
        if !waiters.isEmpty { return waiters.removeFirst().waiter }
        return spareWaiters.isEmpty ? nil : spareWaiters.removeFirst().waiter
    }

    private mutating func takeLease() -> Lease {
        leased += 1
        return idle.popLast().map { .idle($0) } ?? .new
    }

    /// - Parameter isSpare: whether all other uses come first, also later ones.
    mutating func enqueue(_ waiter: Waiter, id: Int, isSpare: Bool = false) {
        if isSpare {
            spareWaiters.append((id, waiter))
        } else {
            waiters.append((id, waiter))
        }
    }

    /// - Returns: the waiter; nil if it has been served already.
    mutating func removeWaiter(_ id: Int) -> Waiter? {
        if let index = waiters.firstIndex(where: { $0.id == id }) { return waiters.remove(at: index).waiter }
        guard let index = spareWaiters.firstIndex(where: { $0.id == id }) else { return nil }
        return spareWaiters.remove(at: index).waiter
    }

    /// Ends a lease.
    ///
    /// - Parameter connection: nil if it is broken. A pool that is not open drops the connection, which ends it.
    mutating func giveBack(_ connection: Connection?) -> Return {
        leased -= 1
        guard phase == .open else {
            return Return(closers: leased == 0 ? finishClosing() : [])
        }
        if let connection {
            idle.append(connection)
        }
        return Return(next: nextWaiter().map { ($0, takeLease()) })
    }

    /// Refuses new work from now on.
    ///
    /// - Returns: the idle connections, for the caller to end, and the waiters, for the caller to refuse.
    mutating func beginClosing() -> (idle: [Connection], waiters: [Waiter]) {
        guard phase == .open else { return ([], []) }
        phase = leased == 0 ? .closed : .closing
        defer {
            idle.removeAll()
            waiters.removeAll()
            spareWaiters.removeAll()
        }
        return (idle, (waiters + spareWaiters).map(\.waiter))
    }

    /// Adds a caller that waits until the pool is closed.
    ///
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
