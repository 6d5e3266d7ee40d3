/// What is in flight, and whether more may come. A value: the gate that shares it holds the lock.
struct Admission: Sendable {
    enum Decision: Equatable, Sendable {
        case admitted
        /// Nothing was taken.
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

    /// A request comes in, with as many bytes as it announces.
    mutating func admit(bytes count: Int) -> Decision {
        guard requests < requestLimit, fits(count) else { return .full(retryAfter: retryAfter) }
        requests += 1
        bytes += count
        return .admitted
    }

    /// An admitted request turns out to hold more bytes than it was admitted with.
    mutating func extend(by count: Int) -> Decision {
        guard fits(count) else { return .full(retryAfter: retryAfter) }
        bytes += count
        return .admitted
    }

    /// An admitted request is over.
    mutating func release(bytes count: Int) {
        requests -= 1
        bytes -= count
    }

    private func fits(_ count: Int) -> Bool {
        count <= byteLimit - bytes
    }
}
