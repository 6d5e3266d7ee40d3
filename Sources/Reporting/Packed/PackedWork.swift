import Dispatch
import Synchronization

/// The buckets of one report, shared out between the connection that asked for it and one that may come to help.
///
/// Nobody waits for the helper: whoever is free takes the next buckets. Only while it takes over the snapshot must the
/// first connection's transaction stay open.
final class PackedWork: Sendable {
    struct Offer: Sendable {
        var plan: PackedPlan
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
        var nextBucket = 0
    }

    let threshold: Int
    private let state = Mutex(State())
    private let imported = DispatchSemaphore(value: 0)

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

    func offer(_ plan: PackedPlan, snapshot: String) {
        let offer = Offer(plan: plan, snapshot: snapshot)
        let waiting = state.withLock { state -> CheckedContinuation<Offer?, Never>? in
            guard case .undecided(let waiting) = state.stage else { return nil }
            state.stage = .offered(offer)
            return waiting
        }
        waiting?.resume(returning: offer)
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
