import Synchronization

/// Shares an ``Admission`` between requests.
final class AdmissionGate: Sendable {
    private let admission: Mutex<Admission>
    private let retryAfter: Duration
    private let onChange: @Sendable (Admission.Usage) -> Void
    private let onRefusal: @Sendable (Admission.Cause, Principal) -> Void

    /// - Parameters:
    ///   - retryAfter: when a refused sender may try again.
    ///   - onChange: called with what is in flight after each change, outside the lock; for gauges.
    ///   - onRefusal: called for each refused request.
    init(
        _ admission: Admission,
        retryAfter: Duration,
        onChange: @escaping @Sendable (Admission.Usage) -> Void = { _ in },
        onRefusal: @escaping @Sendable (Admission.Cause, Principal) -> Void = { _, _ in }
    ) {
        self.admission = Mutex(admission)
        self.retryAfter = retryAfter
        self.onChange = onChange
        self.onRefusal = onRefusal
    }

    /// Admits a request if there is room for the bytes that it announces. It takes room for them as they arrive.
    ///
    /// - Returns: a ticket, which holds the room until nothing refers to it.
    func admit(_ principal: Principal, announcing bytes: Int = 0) throws(Problem) -> AdmissionTicket {
        try change(for: principal) { $0.admit(of: principal.appNumber, announcing: bytes) }
        return AdmissionTicket(gate: self, principal: principal)
    }

    fileprivate func extend(_ principal: Principal, by bytes: Int) throws(Problem) {
        try change(for: principal) { $0.extend(of: principal.appNumber, by: bytes) }
    }

    fileprivate func release(_ principal: Principal, bytes: Int) {
        let total = admission.withLock { admission in
            admission.release(of: principal.appNumber, bytes: bytes)
            return admission.total
        }
        onChange(total)
    }

    private func change(
        for principal: Principal,
        _ body: (inout Admission) -> Admission.Decision
    ) throws(Problem) {
        let (decision, total) = admission.withLock { admission in
            let decision = body(&admission)
            return (decision, admission.total)
        }
        switch decision {
        case .admitted:
            onChange(total)
        case .full(let cause):
            onRefusal(cause, principal)
            throw Problem(.overloaded, cause.detail, retryAfter: retryAfter)
        }
    }
}

/// The room of one request. It is given back when nothing refers to the ticket any more.
///
/// A store may continue after its request was answered with 503. It keeps the room until then, so that a stuck database
/// cannot collect an unlimited number of batches.
final class AdmissionTicket: Sendable {
    private let gate: AdmissionGate
    private let principal: Principal
    private let bytes = Mutex(0)

    fileprivate init(gate: AdmissionGate, principal: Principal) {
        self.gate = gate
        self.principal = principal
    }

    deinit {
        gate.release(principal, bytes: bytes.withLock { $0 })
    }

    /// Makes room for `total` bytes.
    func cover(_ total: Int) throws(Problem) {
        let missing = total - bytes.withLock { $0 }
        guard missing > 0 else { return }
        try gate.extend(principal, by: missing)
        bytes.withLock { $0 += missing }
    }
}

extension Admission.Cause {
    fileprivate var detail: String {
        switch self {
        case .requests, .bytes:
            "Too many requests are in progress; try again after the seconds in Retry-After."
        case .requestsOfApp, .bytesOfApp:
            "Too many requests of this app are in progress; try again after the seconds in Retry-After."
        }
    }
}
