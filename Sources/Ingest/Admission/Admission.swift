/// The requests and bytes in flight, and whether more are admitted. A value: ``AdmissionGate`` guards it with a lock.
struct Admission: Sendable {
    enum Decision: Equatable, Sendable {
        case admitted
        /// There is no room, and nothing was counted.
        case full(retryAfter: Duration)
    }

    let requestLimit: Int
    let byteLimit: Int
    let retryAfter: Duration
    private(set) var requests = 0
    private(set) var bytes = 0

    init(requestLimit: Int, byteLimit: Int, retryAfter: Duration) {
        self.requestLimit = requestLimit
        self.byteLimit = byteLimit
        self.retryAfter = retryAfter
    }

    /// Admits a request with the bytes that it announces.
    mutating func admit(bytes count: Int) -> Decision {
        guard requests < requestLimit, fits(count) else { return .full(retryAfter: retryAfter) }
        requests += 1
        bytes += count
        return .admitted
    }

    /// Adds bytes to an admitted request, which is larger than announced.
    mutating func extend(by count: Int) -> Decision {
        guard fits(count) else { return .full(retryAfter: retryAfter) }
        bytes += count
        return .admitted
    }

    /// Ends an admitted request.
    mutating func release(bytes count: Int) {
        requests -= 1
        bytes -= count
    }

    private func fits(_ count: Int) -> Bool {
        count <= byteLimit - bytes
    }
}
