import Addresses

/// How many wrong codes may be given in a minute. A guess is taken before its answer is known, so that guesses sent at
/// once count too, and given back if the code was right.
struct CodeGuesses: Sendable {
    /// Who is limited, from the narrowest to the widest.
    private enum Guesser: Hashable {
        /// Of an app that asks itself, all installations have one key: nobody who guesses keeps others from their
        /// links.
        case reader(Principal, IPAddress?)
        /// Whoever has a network of IPv6 of the usual size has 65,536 addresses of visitors.
        case site(Int64, IPAddress?)
        case app(Int64)
    }

    private let limits = [10, 100, 1_000].map {
        RateLimiter<Guesser>(RateLimit(requestsPerSecond: Double($0) / 60, burst: $0))
    }

    func take(_ principal: Principal, from address: IPAddress?, at now: ContinuousClock.Instant) throws(Problem) {
        let guessers = Self.guessers(principal, address)
        for (position, (limit, guesser)) in zip(limits, guessers).enumerated() {
            guard case .limited(let wait) = limit.take(for: guesser, at: now).decision else { continue }
            for (limit, guesser) in zip(limits, guessers).prefix(position) { limit.giveBack(for: guesser, at: now) }
            throw Problem(
                .rateLimited,
                "Too many wrong codes; try again after the seconds in Retry-After.",
                field: "code",
                retryAfter: wait
            )
        }
    }

    func giveBack(_ principal: Principal, from address: IPAddress?, at now: ContinuousClock.Instant) {
        for (limit, guesser) in zip(limits, Self.guessers(principal, address)) { limit.giveBack(for: guesser, at: now) }
    }

    private static func guessers(_ principal: Principal, _ address: IPAddress?) -> [Guesser] {
        [.reader(principal, address), .site(principal.servedApp, address?.site), .app(principal.servedApp)]
    }
}
