import Dispatch
package import Postgres
import Synchronization

/// One report's scan of packed timelines. The connection that began it and others that may join share the work: first
/// the parts of the plan, then the buckets.
///
/// No connection waits for another one to join: each takes the next part, or the next buckets, when it is free. So a
/// scan goes on with the connections that are there. Two rules hold. The first connection's transaction stays open
/// while others import its snapshot. No bucket is read before all parts are.
package final class ParallelScan: Sendable {
    /// What another connection needs to join.
    package struct Offer: Sendable {
        package var snapshot: PackedSnapshot
        /// The name of the exported snapshot.
        package var name: String
    }

    private typealias Waiter = CheckedContinuation<Offer?, Never>

    private enum Stage {
        /// The scan has not begun.
        case undecided([Waiter])
        /// So many more may have the offer.
        case offered(Offer, places: Int)
        case withdrawn
    }

    private struct State {
        var stage = Stage.undecided([])
        /// How many connections import the snapshot now.
        var importers = 0
        /// How many connections have imported it.
        var assistants = 0
        /// Whether the first connection waits until no other one imports the snapshot.
        var awaitsImporters = false
        /// How many connections are expected, with the first one.
        var readers = 1
        var parts = ScanParts([], readers: 1)
        var partsBeingRead = 0
        var results: [ScanPartResult] = []
        /// Of these results; nil until a connection needs it.
        var plan: SnapshotPlan?
        var failure: (any Error)?
        var nextBucket = 0

        var isPlanned: Bool { parts.isEmpty && partsBeingRead == 0 || failure != nil }
    }

    private let sharing: ScanSharing
    private let state = Mutex(State())
    private let imported = DispatchSemaphore(value: 0)
    /// Is signalled when all parts are read, or when reading one has failed.
    private let planned = DispatchSemaphore(value: 0)

    package init(_ sharing: ScanSharing) {
        self.sharing = sharing
    }

    /// How many connections have joined the first one. Final after ``withdraw()`` and ``awaitImporters()``.
    package var assistants: Int { state.withLock { $0.assistants } }

    /// How many connections should read a snapshot.
    package func readers(of snapshot: PackedSnapshot) -> Int { sharing.readers(of: snapshot.packedEvents) }

    /// Waits until the scan begins. Nil if no further connection is wanted. A caller that gets the offer need not join.
    package func offer() async -> Offer? {
        await withCheckedContinuation { continuation in
            let known: Offer?? = state.withLock { state in
                switch state.stage {
                case .undecided(let waiting):
                    state.stage = .undecided(waiting + [continuation])
                    return .none
                case .offered(let offer, let places) where places > 0:
                    state.stage = .offered(offer, places: places - 1)
                    return .some(offer)
                case .offered, .withdrawn: return .some(nil)
                }
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Begins the scan.
    ///
    /// - Parameter name: the name of the exported snapshot, with which others may join; nil if none may.
    package func begin(_ snapshot: PackedSnapshot, exportedAs name: String?) {
        let readers = name == nil ? 1 : readers(of: snapshot)
        let offer = name.map { Offer(snapshot: snapshot, name: $0) }
        let waiting = state.withLock { state -> [Waiter] in
            state.readers = readers
            state.parts = ScanParts(snapshot.wholeParts, readers: readers)
            guard let offer, case .undecided(let waiting) = state.stage else { return [] }
            let count = min(waiting.count, readers - 1)
            state.stage = .offered(offer, places: readers - 1 - count)
            return waiting
        }
        for (position, waiter) in waiting.enumerated() {
            waiter.resume(returning: position < readers - 1 ? offer : nil)
        }
    }

    /// Reads parts of the plan while there are any, then waits for those that other connections read.
    ///
    /// - Throws: what reading a part threw, on whichever connection.
    package func plan(of snapshot: PackedSnapshot, on connection: isolated PostgresConnection) throws -> SnapshotPlan {
        try ScanPlanning.byLookup.apply(on: connection)
        var hasShare = false
        while let (part, readers) = nextPart(hasShare: &hasShare) {
            let result = Result { try snapshot.read(part, sharedBy: readers, on: connection) }
            let isPlanned = state.withLock { state in
                state.partsBeingRead -= 1
                switch result {
                case .success(let result): state.results.append(result)
                case .failure(let error): state.failure = error
                }
                return state.isPlanned
            }
            if isPlanned { planned.signal() }
        }
        planned.wait()
        // For the other connections.
        planned.signal()
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            if let plan = state.plan { return plan }
            let plan = SnapshotPlan(snapshot, state.results, readers: state.readers)
            state.plan = plan
            state.results = []
            return plan
        }
    }

    private func nextPart(hasShare: inout Bool) -> (part: ScanPart, readers: Int)? {
        state.withLock { state in
            let present = 1 + state.assistants
            guard state.failure == nil, let part = state.parts.next(among: present, hasShare: &hasShare) else {
                return nil
            }
            state.partsBeingRead += 1
            return (part, state.readers)
        }
    }

    /// Prevents further connections from joining.
    package func withdraw() {
        let waiting = state.withLock { state -> [Waiter] in
            defer { state.stage = .withdrawn }
            guard case .undecided(let waiting) = state.stage else { return [] }
            return waiting
        }
        for waiter in waiting { waiter.resume(returning: nil) }
    }

    /// Whether another connection may import the snapshot. If true, it must call `endImport` afterwards.
    package func beginImport() -> Bool {
        state.withLock { state in
            guard case .offered = state.stage, state.nextBucket < PersonHash.bucketCount else { return false }
            state.importers += 1
            return true
        }
    }

    /// - Parameter hasJoined: whether the connection has the snapshot and will read.
    package func endImport(hasJoined: Bool) {
        let isAwaited = state.withLock { state in
            state.importers -= 1
            if hasJoined { state.assistants += 1 }
            return state.awaitsImporters && state.importers == 0
        }
        if isAwaited { imported.signal() }
    }

    /// Waits until no connection imports the snapshot, and lets none begin. The first connection calls it before its
    /// transaction ends.
    package func awaitImporters() {
        withdraw()
        let isImporting = state.withLock { state in
            state.awaitsImporters = state.importers > 0
            return state.awaitsImporters
        }
        if isImporting { imported.wait() }
    }

    /// The next buckets to read, nil if all are taken. About eight times for each connection, so that all end at about
    /// the same time.
    package func nextBuckets() -> ClosedRange<Int>? {
        state.withLock { state in
            guard state.nextBucket < PersonHash.bucketCount else { return nil }
            let count = PersonHash.bucketCount / (8 * max(2, state.readers))
            let last = min(state.nextBucket + max(1, count), PersonHash.bucketCount) - 1
            defer { state.nextBucket = last + 1 }
            return state.nextBucket...last
        }
    }
}
