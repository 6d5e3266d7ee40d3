import Addresses
import Cryptography
import Synchronization
import Time

/// Slows down whoever tries passwords: ten wrong ones of an account or from an address, then one each six seconds, and
/// ten times as many from a customer's network of IPv6. It locks nobody out: where somebody has signed in before, what
/// others try at the account does not count.
///
/// A guess counts before its answer is known, so that guesses sent at once count too, and is given back if it was
/// right.
final class WrongPasswords: Sendable {
    /// Whatever is entered as an account counts, so that nobody learns which ones there are.
    private enum Guesser: Hashable {
        case account([UInt8])
        case address(IPAddress?)
        /// Whoever has a network of IPv6 of the usual size has 65,536 addresses of visitors.
        case site(IPAddress)

        /// How many guesses are free.
        var burst: Double { if case .site = self { 100 } else { 10 } }
        /// Microseconds until one more guess is free.
        var pause: Double { if case .site = self { 600_000 } else { 6_000_000 } }
    }

    private struct Place: Hashable {
        var account: [UInt8]
        var address: IPAddress?
    }

    private struct Bucket {
        var left: Double
        var filledAt: Timestamp

        func left(of guesser: Guesser, at now: Timestamp) -> Double {
            let passed = max(0, Double(now.microseconds - filledAt.microseconds))
            return min(guesser.burst, left + passed / guesser.pause)
        }
    }

    private struct State {
        var buckets: [Guesser: Bucket] = [:]
        /// Where accounts have signed in, and when last.
        var places: [Place: Timestamp] = [:]
    }

    /// How many accounts and addresses are remembered, and how many places.
    static let limit = 20_000

    private let state = Mutex(State())

    /// How many accounts and addresses are remembered.
    var count: Int { state.withLock { $0.buckets.count } }

    /// - Returns: how long to wait; nil if the password may be tried now.
    func take(account: String, address: IPAddress?, at now: Timestamp) -> Duration? {
        state.withLock { state in
            let guessers = Self.guessers(account, address, state)
            let left = guessers.map { state.buckets[$0]?.left(of: $0, at: now) ?? $0.burst }
            let waits = zip(guessers, left).map { (1 - $1) * $0.pause }
            if let longest = waits.max(), longest > 0 { return .microseconds(Int64(longest.rounded(.up))) }
            for (guesser, left) in zip(guessers, left) {
                state.buckets[guesser] = Bucket(left: left - 1, filledAt: now)
            }
            // Those that have tried least are forgotten first, so that a flood of names hides nobody who goes on.
            if state.buckets.count > Self.limit {
                let tried = state.buckets.map { (guesser: $0, count: $0.burst - $1.left(of: $0, at: now)) }
                for (guesser, _) in tried.sorted(by: { $0.count < $1.count }).prefix(Self.limit / 2) {
                    state.buckets[guesser] = nil
                }
            }
            return nil
        }
    }

    /// Takes back a guess that shall not count.
    func giveBack(account: String, address: IPAddress?, at now: Timestamp) {
        state.withLock { state in
            for guesser in Self.guessers(account, address, state) {
                guard let left = state.buckets[guesser]?.left(of: guesser, at: now) else { continue }
                state.buckets[guesser] = left + 1 >= guesser.burst ? nil : Bucket(left: left + 1, filledAt: now)
            }
        }
    }

    /// Takes back a guess that was right, and remembers where.
    func wasRight(account: String, address: IPAddress?, at now: Timestamp) {
        giveBack(account: account, address: address, at: now)
        remember(account: account, address: address, at: now)
    }

    /// Remembers where an account has signed in.
    func remember(account: String, address: IPAddress?, at now: Timestamp) {
        guard let address else { return }
        state.withLock { state in
            state.places[Place(account: Self.hash(account), address: address)] = now
            guard state.places.count > Self.limit else { return }
            for (place, _) in state.places.sorted(by: { $0.value < $1.value }).prefix(Self.limit / 2) {
                state.places[place] = nil
            }
        }
    }

    private static func guessers(_ account: String, _ address: IPAddress?, _ state: State) -> [Guesser] {
        let account = hash(account)
        let isKnown = state.places[Place(account: account, address: address)] != nil
        let site = address.flatMap { $0.isIPv4 ? nil : $0.site }
        return (isKnown ? [] : [.account(account)]) + [.address(address)] + (site.map { [.site($0)] } ?? [])
    }

    private static func hash(_ account: String) -> [UInt8] {
        SHA256.hash(account.filter { !$0.isWhitespace }.lowercased().utf8)
    }
}
