import HTTPTypes
import HummingbirdCore

/// Lets a request pass whose key is known, of the right kind, and not used too often.
struct KeyGuard: Sendable {
    let authenticator: any KeyAuthenticator
    let limiter: RateLimiter?

    /// - Returns: the holder of the key, and header fields for whatever is answered.
    func admit(
        _ headers: HTTPFields,
        for scope: KeyScope
    ) async throws(Problem) -> (principal: Principal, fields: [HeaderField]) {
        let key = try PresentedKey(headers, for: scope)
        let found: Principal?
        do throws(SinkError) {
            found = try await authenticator.principal(forKey: key.text)
        } catch {
            throw Problem(error)
        }
        guard let principal = found else { throw .unknownKey(scope) }
        guard principal.scope == scope else {
            throw Problem(.wrongKeyKind, "This needs a \(scope.rawValue) key.", field: "Authorization")
        }
        guard let limiter else { return (principal, []) }
        let outcome = limiter.take(for: principal, at: .now)
        let fields = limiter.headerFields(outcome)
        if case .limited(let wait) = outcome.decision {
            var problem = Problem(.rateLimited, "This key's requests come too fast.", retryAfter: wait)
            problem.rateLimitFields = fields
            throw problem
        }
        return (principal, fields)
    }
}

extension Problem {
    init(_ error: SinkError) {
        switch error {
        case .unavailable(let retryAfter):
            self.init(.unavailable, "Events cannot be stored now; try again.", retryAfter: retryAfter)
        case .overloaded(let retryAfter):
            self.init(.overloaded, "Too much waits to be stored; try again in a moment.", retryAfter: retryAfter)
        case .timedOut:
            self.init(
                .timedOut,
                "Storing took too long. Send the same event ids again: what was stored is not stored twice.",
                retryAfter: .seconds(1)
            )
        }
    }
}
