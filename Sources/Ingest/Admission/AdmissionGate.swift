import Synchronization

/// Shares an ``Admission`` between requests.
final class AdmissionGate: Sendable {
    private struct State {
        var admission: Admission
        var lastNumber: UInt64 = 0
        /// How to end the requests whose bodies are waited for, by number.
        var waiting: [UInt64: (principal: Principal, end: @Sendable (Problem) -> Void)] = [:]
    }

    /// How many requests lose their room for one, so that a search for room ends soon.
    private static let evictionLimit = 16

    private let state: Mutex<State>
    private let retryAfter: Duration
    private let onChange: @Sendable (Admission.Usage) -> Void
    private let onRefusal: @Sendable (Admission.Cause, Principal) -> Void
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - retryAfter: when a refused sender may try again.
    ///   - onChange: called with what is in flight after each change, outside the lock; for gauges.
    ///   - onRefusal: called for each refused request.
    init(
        _ admission: Admission,
        retryAfter: Duration,
        onChange: @escaping @Sendable (Admission.Usage) -> Void = { _ in },
        onRefusal: @escaping @Sendable (Admission.Cause, Principal) -> Void = { _, _ in },
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        state = Mutex(State(admission: admission))
        self.retryAfter = retryAfter
        self.onChange = onChange
        self.onRefusal = onRefusal
        self.now = now
    }

    /// Admits a request if there is room for the bytes that it announces. It takes room for them as they arrive.
    ///
    /// - Returns: a ticket, which holds the room until nothing refers to it.
    func admit(_ principal: Principal, announcing bytes: Int = 0) throws(Problem) -> AdmissionTicket {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try change(for: principal, adding: Admission.Usage(requests: 1, bytes: bytes)) {
            $0.admit(number, of: principal.servedApp, announcing: bytes)
        }
        return AdmissionTicket(gate: self, principal: principal, number: number)
    }

    fileprivate func extend(_ number: UInt64, of principal: Principal, by bytes: Int) throws(Problem) {
        try change(for: principal, adding: Admission.Usage(bytes: bytes)) { $0.extend(number, by: bytes) }
    }

    fileprivate func wait(for number: UInt64, of principal: Principal, _ end: (@Sendable (Problem) -> Void)?) {
        let time = end == nil ? nil : now()
        state.withLock { state in
            state.admission.wait(for: number, since: time)
            state.waiting[number] = end.map { (principal, $0) }
        }
    }

    fileprivate func release(_ number: UInt64) {
        let total = state.withLock { state in
            state.admission.release(number)
            state.waiting[number] = nil
            return state.admission.total
        }
        onChange(total)
    }

    private func change(
        for principal: Principal,
        adding more: Admission.Usage,
        _ body: (inout Admission) -> Admission.Decision
    ) throws(Problem) {
        var evicted: [(principal: Principal, end: @Sendable (Problem) -> Void)] = []
        let (decision, total) = state.withLock { state in
            var decision = body(&state.admission)
            while case .full(let cause) = decision, evicted.count < Self.evictionLimit,
                let number = state.admission.evict(because: cause, for: principal.servedApp, adding: more, at: now())
            {
                if let request = state.waiting.removeValue(forKey: number) { evicted.append(request) }
                decision = body(&state.admission)
            }
            return (decision, state.admission.total)
        }
        for request in evicted {
            onRefusal(.slow, request.principal)
            request.end(problem(.slow))
        }
        switch decision {
        case .admitted:
            onChange(total)
        case .full(let cause):
            // Whoever has lost its room was counted then.
            if cause != .slow { onRefusal(cause, principal) }
            throw problem(cause)
        }
    }

    private func problem(_ cause: Admission.Cause) -> Problem {
        Problem(.overloaded, cause.detail, retryAfter: retryAfter)
    }
}

/// The room of one request. It is given back when nothing refers to the ticket any more.
///
/// A store may continue after its request was answered with 503. It keeps the room until then, so that a stuck database
/// cannot collect an unlimited number of batches.
final class AdmissionTicket: Sendable {
    let number: UInt64
    private let gate: AdmissionGate
    private let principal: Principal
    private let bytes = Mutex(0)

    fileprivate init(gate: AdmissionGate, principal: Principal, number: UInt64) {
        self.gate = gate
        self.principal = principal
        self.number = number
    }

    deinit {
        gate.release(number)
    }

    /// Makes room for `total` bytes.
    func cover(_ total: Int) throws(Problem) {
        let missing = total - bytes.withLock { $0 }
        guard missing > 0 else { return }
        try gate.extend(number, of: principal, by: missing)
        bytes.withLock { $0 += missing }
    }

    /// The body is waited for. From now on the request may lose its room to one of another app.
    ///
    /// - Parameter end: called at most once, on any thread, if it does. It must not refer to the ticket.
    func waitForBody(orElse end: @escaping @Sendable (Problem) -> Void) {
        gate.wait(for: number, of: principal, end)
    }

    /// The body has come as a whole.
    func bodyIsWhole() {
        gate.wait(for: number, of: principal, nil)
    }
}

extension Admission.Cause {
    fileprivate var detail: String {
        switch self {
        case .requests, .bytes:
            "Too many requests are in progress; try again after the seconds in Retry-After."
        case .requestsOfApp, .bytesOfApp:
            "Too many requests of this app are in progress; try again after the seconds in Retry-After."
        case .slow:
            "The body arrives too slowly, and its room is needed; try again after the seconds in Retry-After."
        }
    }
}
