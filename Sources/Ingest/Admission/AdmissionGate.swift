import Synchronization

/// Shares an ``Admission`` between requests.
final class AdmissionGate: Sendable {
    private let admission: Mutex<Admission>
    private let onChange: @Sendable (_ requests: Int, _ bytes: Int) -> Void

    /// - Parameter onChange: called after each change, outside the lock; for gauges.
    init(_ admission: Admission, onChange: @escaping @Sendable (_ requests: Int, _ bytes: Int) -> Void = { _, _ in }) {
        self.admission = Mutex(admission)
        self.onChange = onChange
    }

    /// Admits a request.
    ///
    /// - Returns: a ticket, which holds the room until nothing refers to it.
    func admit(bytes: Int) throws(Problem) -> AdmissionTicket {
        try change { $0.admit(bytes: bytes) }
        return AdmissionTicket(gate: self, bytes: bytes)
    }

    fileprivate func extend(by bytes: Int) throws(Problem) {
        try change { $0.extend(by: bytes) }
    }

    fileprivate func release(bytes: Int) {
        let (requests, bytes) = admission.withLock { admission in
            admission.release(bytes: bytes)
            return (admission.requests, admission.bytes)
        }
        onChange(requests, bytes)
    }

    private func change(_ body: (inout Admission) -> Admission.Decision) throws(Problem) {
        let (decision, requests, bytes) = admission.withLock { admission in
            let decision = body(&admission)
            return (decision, admission.requests, admission.bytes)
        }
        switch decision {
        case .admitted:
            onChange(requests, bytes)
        case .full(let retryAfter):
            throw Problem(
                .overloaded,
                "Too many requests are in progress; try again after the seconds in Retry-After.",
                retryAfter: retryAfter
            )
        }
    }
}

/// The room of one request. It is given back when nothing refers to the ticket any more.
///
/// A store may continue after its request was answered with 503. It keeps the room until then, so that a stuck database
/// cannot collect an unlimited number of batches.
final class AdmissionTicket: Sendable {
    private let gate: AdmissionGate
    private let bytes: Mutex<Int>

    fileprivate init(gate: AdmissionGate, bytes: Int) {
        self.gate = gate
        self.bytes = Mutex(bytes)
    }

    deinit {
        gate.release(bytes: bytes.withLock { $0 })
    }

    /// Makes room for `total` bytes, if less was announced.
    func cover(_ total: Int) throws(Problem) {
        let missing = total - bytes.withLock { $0 }
        guard missing > 0 else { return }
        try gate.extend(by: missing)
        bytes.withLock { $0 += missing }
    }
}
