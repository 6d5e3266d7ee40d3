import Dispatch
import Synchronization

/// One report over packed timelines, shared out between the connection that asked for it and one that may come to help:
/// first the pieces of the plan, then the buckets.
///
/// Nobody waits for the helper to begin: whoever is free takes the next piece, or the next buckets. Only while it takes over
/// the snapshot must the first connection's transaction stay open, and the buckets come after all pieces, the other's too.
final class PackedWork: Sendable {
    struct Offer: Sendable {
        var base: PackedPlan.Base
        var snapshot: String
    }

    /// With fewer packed events than this, a second connection costs more than it saves.
    static let sharingThreshold = 300_000
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
        /// Those that nobody has taken, the next one last.
        var pieces: [PackedPlan.Piece] = []
        var piecesAtWork = 0
        var found: [PackedPlan.Found] = []
        var failure: (any Error)?
        var nextBucket = 0

        var isPlanned: Bool { pieces.isEmpty && piecesAtWork == 0 || failure != nil }
    }

    let threshold: Int
    private let state = Mutex(State())
    private let imported = DispatchSemaphore(value: 0)
    /// Open once all pieces are found, or one cannot be.
    private let planned = DispatchSemaphore(value: 0)

    /// - Parameter threshold: with fewer packed events nobody is asked to help.
    init(sharingFrom threshold: Int = sharingThreshold) {
        self.threshold = threshold
    }

    var isAssisted: Bool {
        state.withLock { state in
            switch state.stage {
            case .importing, .assisted: true
            case .undecided, .offered, .withdrawn: false
            }
        }
    }

    /// What there is to help with; nil where nothing is.
    func offer() async -> Offer? {
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

    /// Begins the work. - Parameter snapshot: by which another connection may help; nil: none may.
    func begin(_ base: PackedPlan.Base, snapshot: String?) {
        let offer = snapshot.map { Offer(base: base, snapshot: $0) }
        let waiting = state.withLock { state -> CheckedContinuation<Offer?, Never>? in
            state.pieces = base.pieces(for: snapshot == nil ? 1 : 2).reversed()
            guard let offer, case .undecided(let waiting) = state.stage else { return nil }
            state.stage = .offered(offer)
            return waiting
        }
        waiting?.resume(returning: offer)
    }

    /// Reads pieces as long as there are any, and waits for those that the other connection reads.
    func plan(_ base: PackedPlan.Base, _ read: (PackedPlan.Piece) throws -> PackedPlan.Found) throws -> PackedPlan {
        while let piece = nextPiece() {
            let found = Result { try read(piece) }
            let isPlanned = state.withLock { state in
                state.piecesAtWork -= 1
                switch found {
                case .success(let found): state.found.append(found)
                case .failure(let error): state.failure = error
                }
                return state.isPlanned
            }
            if isPlanned { planned.signal() }
        }
        planned.wait()
        // For the other one.
        planned.signal()
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return PackedPlan(base, state.found)
        }
    }

    private func nextPiece() -> PackedPlan.Piece? {
        state.withLock { state in
            guard state.failure == nil, let piece = state.pieces.popLast() else { return nil }
            state.piecesAtWork += 1
            return piece
        }
    }

    /// Nobody may begin to help any more.
    func withdraw() {
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

    /// Whether the snapshot may be taken over; `endImport` must follow then.
    func beginImport() -> Bool {
        state.withLock { state in
            guard case .offered = state.stage else { return false }
            state.stage = .importing
            return true
        }
    }

    func endImport() {
        state.withLock { $0.stage = .assisted }
        imported.signal()
    }

    /// The next buckets to read, nil where all are taken.
    ///
    /// The first connection gets nil only when its transaction may end.
    func nextBuckets() -> ClosedRange<Int>? {
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
