/// The requests and bytes in flight, and whether more are admitted. A value: ``AdmissionGate`` guards it with a lock.
///
/// An app may have as much as it leaves free: the first app a half, the next one a half of the rest. So some room is
/// always left for others, however many apps take all that they can (A. K. Choudhury, E. L. Hahne, "Dynamic queue
/// length thresholds for shared-memory packet switches", 1998). If room is short all the same, bodies that arrive
/// slowly lose theirs.
struct Admission: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Decision: Equatable, Sendable {
        case admitted
        /// There is no room, and nothing was counted.
        case full(Cause)
    }

    /// Which limit leaves no room.
    enum Cause: String, CaseIterable, Sendable {
        case requests
        case bytes
        case requestsOfApp = "app_requests"
        case bytesOfApp = "app_bytes"
        /// The body arrived slowly, and its room was given to another app.
        case slow
    }

    /// Requests and their bytes.
    struct Usage: Equatable, Sendable {
        var requests = 0
        var bytes = 0
    }

    private struct Request {
        let app: Int64
        var bytes = 0
        /// Since when its body is waited for; nil: it is not.
        var waitsSince: Instant?
    }

    /// From then on, a body arrives slowly.
    static let patience: Duration = .seconds(2)

    /// What all apps have at most.
    let limit: Usage
    /// Whether one app must leave room for others.
    let isShared: Bool
    private(set) var total = Usage()
    private(set) var apps: [Int64: Usage] = [:]
    /// By number. Numbers grow.
    private var requests: [UInt64: Request] = [:]

    init(requestLimit: Int, byteLimit: Int, isShared: Bool = false) {
        limit = Usage(requests: requestLimit, bytes: byteLimit)
        self.isShared = isShared
    }

    /// Admits a request if it can have the bytes that it announces. It takes them only by ``extend(_:by:)``.
    mutating func admit(_ number: UInt64, of app: Int64, announcing count: Int) -> Decision {
        if let cause = cause(of: app, adding: Usage(requests: 1, bytes: count)) { return .full(cause) }
        requests[number] = Request(app: app)
        total.requests += 1
        apps[app, default: Usage()].requests += 1
        return .admitted
    }

    /// Takes room for bytes of an admitted request.
    mutating func extend(_ number: UInt64, by count: Int) -> Decision {
        guard let app = requests[number]?.app else { return .full(.slow) }
        if let cause = cause(of: app, adding: Usage(bytes: count)) { return .full(cause) }
        requests[number]?.bytes += count
        total.bytes += count
        apps[app]?.bytes += count
        return .admitted
    }

    /// Says since when the body of a request is waited for; nil: it has come.
    mutating func wait(for number: UInt64, since time: Instant?) { requests[number]?.waitsSince = time }

    /// Ends a request, unless it has lost its room before.
    mutating func release(_ number: UInt64) {
        guard let request = requests.removeValue(forKey: number), var usage = apps[request.app] else { return }
        total.requests -= 1
        total.bytes -= request.bytes
        usage.requests -= 1
        usage.bytes -= request.bytes
        apps[request.app] = usage.requests > 0 ? usage : nil
    }

    /// Takes the room of the request whose body has been waited for longest, of an app that has more than this one
    /// would have. So no app makes room for itself at the cost of one that has less.
    ///
    /// - Returns: the number of the request; nil if there is none.
    mutating func evict(because cause: Cause, for app: Int64, adding more: Usage, at now: Instant) -> UInt64? {
        let own = apps[app] ?? Usage()
        let slow = requests.filter { _, request in
            guard let since = request.waitsSince, now - since >= Self.patience, let other = apps[request.app] else {
                return false
            }
            return switch cause {
            case .requests, .requestsOfApp: other.requests > own.requests + more.requests
            case .bytes, .bytesOfApp: request.bytes > 0 && other.bytes - own.bytes > more.bytes
            case .slow: false
            }
        }
        guard let number = slow.keys.min() else { return nil }
        release(number)
        return number
    }

    private func cause(of app: Int64, adding more: Usage) -> Cause? {
        let free = Usage(requests: limit.requests - total.requests, bytes: limit.bytes - total.bytes)
        if more.requests > free.requests { return .requests }
        if more.bytes > free.bytes { return .bytes }
        guard isShared else { return nil }
        let own = apps[app] ?? Usage()
        if more.requests > 0, own.requests + more.requests > free.requests - more.requests { return .requestsOfApp }
        if more.bytes > 0, own.bytes + more.bytes > free.bytes - more.bytes { return .bytesOfApp }
        return nil
    }
}
