/// Runs what makes reports, answers questions and changes links: not too many at once, and none for too long.
struct AnswerAdmission: Sendable {
    let gate: AdmissionGate
    let deadline: Deadline
    /// What the sender is told if an answer takes too long.
    var tooLong = "The answer took too long; try again."
    /// Whether the database of an app is known to be away.
    let isAway: @Sendable (Principal) -> Bool

    /// - Parameter ticket: the room that the request has already; nil: it takes room.
    func answer<Value: Sendable>(
        _ caller: KeyGuard.Caller,
        holding ticket: AdmissionTicket? = nil,
        _ operation: @escaping @Sendable () async throws(AnswerFailure) -> Value
    ) async throws(Problem) -> Value {
        let ticket = if let ticket { ticket } else { try gate.admit(caller.principal) }
        do throws(AnswerFailure) {
            return try await deadline.run(expired: .timedOut) { () async throws(AnswerFailure) in
                defer { withExtendedLifetime(ticket) {} }
                return try await operation()
            }
        } catch {
            // A database that hangs lets the time pass, too.
            let isHanging = error == .timedOut && isAway(caller.principal)
            throw problem(isHanging ? .unavailable(retryAfter: .seconds(2)) : error, for: caller)
        }
    }

    private func problem(_ failure: AnswerFailure, for caller: KeyGuard.Caller) -> Problem {
        var problem: Problem
        switch failure {
        case .unknownReport(let allowed):
            problem = Problem(.unknownReport, "There is no report of this name; see `allowed`.", field: "report")
            problem.allowed = allowed
        case .unknownApp:
            problem = .unknownKey(KeyNeed(scopes: [caller.principal.scope]))
        case .movedApp:
            problem = Problem(.movedApp, "The app has moved to another database; ask the daemon there.")
        case .invalidParameter(let message, let field, let allowed):
            problem = Problem(.invalidParameter, message, field: field)
            problem.allowed = allowed
        case .unknownEvent(let message, let field, let nearest):
            problem = Problem(.unknownEvent, message, field: field)
            problem.allowed = nearest
        case .overloaded(let retryAfter):
            problem = Problem(
                .overloaded,
                "Too many reports are in progress on the server of this app; try again after the seconds in Retry-After.",
                retryAfter: retryAfter
            )
        case .unavailable(let retryAfter):
            problem = Problem(
                .unavailable,
                "The database is unavailable; try again after the seconds in Retry-After.",
                retryAfter: retryAfter
            )
        case .timedOut:
            problem = Problem(.timedOut, tooLong, retryAfter: .seconds(1))
        case .internalError: problem = .internalError
        }
        return problem
    }
}
