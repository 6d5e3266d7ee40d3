/// Admits a request if its key is known, is of the right kind, and is within its rate limit.
struct KeyGuard: Sendable {
    /// The holder of the key of a request, and header fields for its answer.
    struct Caller: Sendable {
        let principal: Principal
        let fields: [HeaderField]
    }

    let authenticator: any KeyAuthenticator
    let limiter: RateLimiter<Principal>?

    /// - Parameter authorization: the values of `Authorization`.
    func admit(_ authorization: [String], for scope: KeyScope) async throws(Problem) -> Caller {
        let key = try PresentedKey(authorization, for: scope)
        let found: Principal?
        do throws(SinkError) {
            found = try await authenticator.principal(forKey: key.text)
        } catch {
            throw Problem(error)
        }
        guard let principal = found else { throw .unknownKey(scope) }
        return try admit(principal, for: scope)
    }

    /// Admits a request without waiting.
    ///
    /// - Returns: nil if the holder of the key is not known immediately; then call `admit`.
    func admitAtOnce(_ authorization: [String], for scope: KeyScope) throws(Problem) -> Caller? {
        let key = try PresentedKey(authorization, for: scope)
        guard let principal = authenticator.principalAtOnce(forKey: key.text) else { return nil }
        return try admit(principal, for: scope)
    }

    private func admit(_ principal: Principal, for scope: KeyScope) throws(Problem) -> Caller {
        guard principal.scope == scope else {
            throw Problem(
                .wrongKeyKind,
                "This path needs a \(scope.rawValue) key; the key is a \(principal.scope.rawValue) key.",
                field: "Authorization"
            )
        }
        guard let limiter else { return Caller(principal: principal, fields: []) }
        let outcome = limiter.take(for: principal, at: .now)
        let fields = limiter.headerFields(outcome)
        if case .limited(let wait) = outcome.decision {
            var problem = Problem(
                .rateLimited,
                "The key has sent too many requests; try again after the seconds in Retry-After.",
                retryAfter: wait
            )
            problem.rateLimitFields = fields
            throw problem
        }
        return Caller(principal: principal, fields: fields)
    }
}

extension Problem {
    init(_ error: SinkError) {
        switch error {
        case .unavailable(let retryAfter):
            self.init(
                .unavailable,
                "The storage is unavailable; try again after the seconds in Retry-After.",
                retryAfter: retryAfter
            )
        case .overloaded(let retryAfter):
            self.init(
                .overloaded,
                "Too many events wait to be stored; try again after the seconds in Retry-After.",
                retryAfter: retryAfter
            )
        case .timedOut:
            self.init(
                .timedOut,
                "Storing took too long. Send the events again with the same event ids: none is stored twice.",
                retryAfter: .seconds(1)
            )
        }
    }
}
