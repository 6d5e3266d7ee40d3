import Dispatch
package import Postgres
import Synchronization

/// One report's scan of packed timelines. The connection that began it and a second one that may join share the work:
/// first the parts of the plan, then the buckets.
///
/// The first connection never waits for the second one to join: each takes the next part, or the next buckets, when it
/// is free. Two rules hold. The first connection's transaction stays open while the second one imports its snapshot. No
/// bucket is read before both connections have read all parts.
package final class ParallelScan: Sendable {
    /// What a second connection needs to join.
    package struct Offer: Sendable {
        package var snapshot: PackedSnapshot
        /// The name of the exported snapshot.
        package var name: String
    }

    /// With fewer packed events than this, a second connection costs more than it saves.
    package static let sharingThreshold = 300_000
    private static let bucketsAtOnce = 16

    private enum Stage {
        case undecided(CheckedContinuation<Offer?, Never>?)
        case offered(Offer)
        case importing
        case assisted
        case withdrawn
    }

    private struct State {
        var stage = Stage.undecided(nil)
        /// The parts that no connection has taken, the next one last.
        var parts: [ScanPart] = []
        var partsBeingRead = 0
        var results: [ScanPartResult] = []
        var failure: (any Error)?
        var nextBucket = 0

        var isPlanned: Bool { parts.isEmpty && partsBeingRead == 0 || failure != nil }
    }

    package let threshold: Int
    private let state = Mutex(State())
    private let imported = DispatchSemaphore(value: 0)
    /// Is signalled when all parts are read, or when reading one has failed.
    private let planned = DispatchSemaphore(value: 0)

    /// - Parameter threshold: with fewer packed events, no second connection is used.
    package init(sharingFrom threshold: Int = sharingThreshold) {
        self.threshold = threshold
    }

    package var isAssisted: Bool {
        state.withLock { state in
            switch state.stage {
            case .importing, .assisted: true
            case .undecided, .offered, .withdrawn: false
            }
        }
    }

    /// Waits until the scan begins. Nil if no second connection is wanted.
    package func offer() async -> Offer? {
        await withCheckedContinuation { continuation in
            let known: Offer?? = state.withLock { state in
                switch state.stage {
                case .undecided:
                    state.stage = .undecided(continuation)
                    return .none
                case .offered(let offer): return .some(offer)
                case .importing, .assisted, .withdrawn: return .some(nil)
                }
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Begins the scan.
    ///
    /// - Parameter name: the name of the exported snapshot, with which a second connection may join; nil if none may.
    package func begin(_ snapshot: PackedSnapshot, exportedAs name: String?) {
        let offer = name.map { Offer(snapshot: snapshot, name: $0) }
        let waiting = state.withLock { state -> CheckedContinuation<Offer?, Never>? in
            state.parts = snapshot.parts(for: offer == nil ? 1 : 2).reversed()
            guard let offer, case .undecided(let waiting) = state.stage else { return nil }
            state.stage = .offered(offer)
            return waiting
        }
        waiting?.resume(returning: offer)
    }

    /// Reads parts of the plan while there are any, then waits for those that the other connection reads.
    ///
    /// - Throws: what reading a part threw, on either connection.
    package func plan(of snapshot: PackedSnapshot, on connection: isolated PostgresConnection) throws -> SnapshotPlan {
        try ScanPlanning.byLookup.apply(on: connection)
        while let part = nextPart() {
            let result = Result { try snapshot.read(part, on: connection) }
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
        // For the other connection.
        planned.signal()
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return SnapshotPlan(snapshot, state.results)
        }
    }

    private func nextPart() -> ScanPart? {
        state.withLock { state in
            guard state.failure == nil, let part = state.parts.popLast() else { return nil }
            state.partsBeingRead += 1
            return part
        }
    }

    /// Prevents a second connection from joining from now on.
    package func withdraw() {
        let waiting = state.withLock { state -> CheckedContinuation<Offer?, Never>? in
            switch state.stage {
            case .undecided(let waiting):
                state.stage = .withdrawn
                return waiting
            case .offered:
                state.stage = .withdrawn
                return nil
            case .importing, .assisted, .withdrawn: return nil
            }
        }
        waiting?.resume(returning: nil)
    }

    /// Whether the second connection may import the snapshot. If true, it must call `endImport` afterwards.
    package func beginImport() -> Bool {
        state.withLock { state in
            guard case .offered = state.stage else { return false }
            state.stage = .importing
            return true
        }
    }

    package func endImport() {
        state.withLock { $0.stage = .assisted }
        imported.signal()
    }

    /// The next buckets to read, nil if all are taken.
    ///
    /// The first connection gets nil only when its transaction may end.
    package func nextBuckets() -> ClosedRange<Int>? {
        let (buckets, isImporting) = state.withLock { state -> (ClosedRange<Int>?, Bool) in
            guard state.nextBucket < PersonHash.bucketCount else {
                switch state.stage {
                case .importing: return (nil, true)
                case .offered:
                    state.stage = .withdrawn
                    return (nil, false)
                case .undecided, .assisted, .withdrawn: return (nil, false)
                }
            }
            defer { state.nextBucket += Self.bucketsAtOnce }
            return (state.nextBucket...state.nextBucket + Self.bucketsAtOnce - 1, false)
        }
        if isImporting { imported.wait() }
        return buckets
    }
}
