import Answering
import Ingest
import Storage

/// Finds the holders of keys in the rings of several databases. A key is in one of them, or in two if its app has moved
/// from one to the other: then the app is served where it is now.
struct DatabasesAuthenticator: KeyAuthenticator {
    /// By the positions of their databases. At least one.
    let rings: [RingAuthenticator]

    func principalAtOnce(forKey key: String) -> Principal? {
        for ring in rings {
            guard let holder = ring.ring.holderAtOnce(of: key), !holder.hasMoved else { continue }
            return Principal(holder, in: ring.database)
        }
        return nil
    }

    /// The rings that know the key are asked first, and then the others: each time all at once, so that one whose
    /// database hangs delays no others' keys.
    func principal(forKey key: String) async throws(SinkError) -> Principal? {
        var moved: Principal?
        var failure: SinkError?
        let knowing = rings.filter { $0.ring.knows(key) }
        let others = rings.filter { ring in !knowing.contains { $0.database == ring.database } }
        let ask: @Sendable (RingAuthenticator) async throws -> (Principal, hasMoved: Bool)? = { ring in
            try await ring.ring.holder(of: key).map { (Principal($0, in: ring.database), $0.hasMoved) }
        }
        for group in [knowing, others] {
            for await answer in Self.answers(of: group, to: ask) {
                switch answer {
                case .success((let principal, hasMoved: false)?): return principal
                case .success(let found): moved = moved ?? found?.0
                case .failure(let error): failure = error
                }
            }
        }
        if let moved { return moved }
        // A ring that could not be asked may have it.
        if let failure { throw failure }
        return try Self.unlessCancelled(nil)
    }

    func acting<Value>(as principal: Principal, _ operation: () async -> Value) async -> Value {
        await rings[principal.database].acting(as: principal, operation)
    }

    func isKnown(origin: String) async throws(SinkError) -> Bool {
        var failure: SinkError?
        for await answer in Self.answers(of: rings, to: { try await $0.ring.hasKey(forPagesOf: origin) }) {
            switch answer {
            case .success(true): return true
            case .success(false): break
            case .failure(let error): failure = error
            }
        }
        if let failure { throw failure }
        return try Self.unlessCancelled(false)
    }

    /// A request that was cancelled has not waited for all answers.
    private static func unlessCancelled<Value>(_ value: Value) throws(SinkError) -> Value {
        if Task.isCancelled { throw .unavailable(retryAfter: .seconds(1)) }
        return value
    }

    /// Asks rings at once. Whoever has the answer that they want need not wait for the rest, which end by themselves
    /// within a second.
    ///
    /// - Returns: one answer of each, in the order in which they come.
    private static func answers<Value: Sendable>(
        of rings: [RingAuthenticator],
        to ask: @escaping @Sendable (RingAuthenticator) async throws -> Value
    ) -> AsyncPrefixSequence<AsyncStream<Result<Value, SinkError>>> {
        let (answers, continuation) = AsyncStream.makeStream(of: Result<Value, SinkError>.self)
        for ring in rings {
            Task {
                do {
                    continuation.yield(.success(try await ask(ring)))
                } catch {
                    continuation.yield(.failure(ring.failures.sink(error)))
                }
            }
        }
        return answers.prefix(rings.count)
    }
}
