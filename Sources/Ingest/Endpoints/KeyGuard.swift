/// Admits a request if its key is known, is of the right kind, and is within its rate limit.
struct KeyGuard: Sendable {
    /// The holder of the key of a request, and header fields for its answer.
    struct Caller: Sendable {
        let principal: Principal
        let fields: [HeaderField]
    }

    /// What the header fields of a request say of its sender.
    struct Credentials: Sendable {
        /// The values of `Authorization`.
        let authorization: [String]
        /// The values of `Origin`: which page a browser sends for. Programs send none.
        let origins: [String]
    }

    let authenticator: any KeyAuthenticator
    let limiter: RateLimiter<Principal>?

    func admit(_ credentials: Credentials, for need: KeyNeed) async throws(Problem) -> Caller {
        let key = try PresentedKey(credentials.authorization, for: need)
        let found: Principal?
        do throws(SinkError) {
            found = try await authenticator.principal(forKey: key.text)
        } catch {
            throw Problem(error)
        }
        guard let principal = found else { throw .unknownKey(need) }
        return try admit(principal, credentials, for: need)
    }

    /// Admits a request without waiting.
    ///
    /// - Returns: nil if the holder of the key is not known immediately; then call `admit`.
    func admitAtOnce(_ credentials: Credentials, for need: KeyNeed) throws(Problem) -> Caller? {
        let key = try PresentedKey(credentials.authorization, for: need)
        guard let principal = authenticator.principalAtOnce(forKey: key.text) else { return nil }
        return try admit(principal, credentials, for: need)
    }

    private func admit(
        _ principal: Principal,
        _ credentials: Credentials,
        for need: KeyNeed
    ) throws(Problem) -> Caller {
        guard need.isMet(by: principal.scope) else {
            throw Problem(
                .wrongKeyKind,
                "This path needs \(need.phrase); the key is \(principal.scope.phrase).",
                field: "Authorization"
            )
        }
        let pageFields = principal.scope == .app ? try CrossOrigin.fields(for: credentials.origins, of: principal) : []
        guard let limiter else { return Caller(principal: principal, fields: pageFields) }
        let outcome = limiter.take(for: principal, at: .now)
        let fields = limiter.headerFields(outcome) + pageFields
        if case .limited(let wait) = outcome.decision {
            var problem = Problem(
                .rateLimited,
                "The key has sent too many requests; try again after the seconds in Retry-After.",
                retryAfter: wait
            )
            problem.callerFields = fields
            throw problem
        }
        return Caller(principal: principal, fields: fields)
    }
}

/// Which keys a route takes.
struct KeyNeed: Equatable, Sendable {
    /// Any of these.
    let scopes: [KeyScope]

    func isMet(by scope: KeyScope) -> Bool { scopes.contains(scope) }

    var phrase: String { scopes.map(\.phrase).joined(separator: " or ") }

    /// To send events, or to ask for what they need.
    static let event = KeyNeed(scopes: [.write, .app])
    static let reading = KeyNeed(scopes: KeyScope.allCases.filter(\.reads))
    /// To change links and costs.
    static let changing = KeyNeed(scopes: [.write, .manage])
    /// To change what a manager changes.
    static let managing = KeyNeed(scopes: [.manage])
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
        case .internalError: self = .internalError
        }
    }

    /// The daemon's own fault. Whoever knows the reason has logged it.
    static let internalError = Problem(
        .internalError,
        "The daemon failed to answer; its log says why, with the X-Request-Id of this answer."
    )
}
