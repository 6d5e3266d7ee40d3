/// Runs what answers questions and changes links: not too many at once, and none for too long.
struct AnswerRoom: Sendable {
    let gate: AdmissionGate
    let deadline: Deadline

    /// - Parameter ticket: the room that the request has already; nil: it takes room.
    func answer<Value: Sendable>(
        _ caller: KeyGuard.Caller,
        holding ticket: AdmissionTicket? = nil,
        _ operation: @escaping @Sendable () async throws(AnswerFailure) -> Value
    ) async throws(Problem) -> Value {
        let ticket = if let ticket { ticket } else { try gate.admit(bytes: 0) }
        do throws(AnswerFailure) {
            return try await deadline.run(expired: .timedOut) { () async throws(AnswerFailure) in
                defer { withExtendedLifetime(ticket) {} }
                return try await operation()
            }
        } catch {
            throw Problem(error, for: caller)
        }
    }
}

extension Problem {
    init(_ failure: AnswerFailure, for caller: KeyGuard.Caller) {
        switch failure {
        case .unknownApp:
            self = .unknownKey(caller.principal.scope)
        case .invalidParameter(let message, let field, let allowed):
            self.init(.invalidParameter, message, field: field)
            self.allowed = allowed
        case .unavailable(let retryAfter):
            self.init(
                .unavailable,
                "The database is unavailable; try again after the seconds in Retry-After.",
                retryAfter: retryAfter
            )
        case .timedOut:
            self.init(.timedOut, "The answer took too long; try again.", retryAfter: .seconds(1))
        }
    }
}
