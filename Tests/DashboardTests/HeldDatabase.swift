import Postgres
import PostgresTesting

/// A database of a template, which is dropped when nothing holds this value any more.
final class HeldDatabase: Sendable {
    let pool: PostgresPool
    private let end: AsyncStream<Void>.Continuation

    /// - Parameter settings: of its connections.
    init(
        settings: [String: String] = [:],
        migrate: @escaping @Sendable (PostgresPool) async throws -> Void
    ) async throws {
        let (ends, end) = AsyncStream<Void>.makeStream()
        self.end = end
        let (pools, made) = AsyncThrowingStream<PostgresPool, any Error>.makeStream()
        Task {
            do {
                try await TestDatabases.withDatabase(poolSize: 2, migrate: migrate) { database in
                    var options = TestDatabases.options
                    options.settings.merge(settings) { $1 }
                    let pool = PostgresPool(address: database.address, size: 2, options: options)
                    made.yield(pool)
                    for await _ in ends {}
                    await pool.close()
                }
            } catch {
                made.finish(throwing: error)
            }
        }
        var iterator = pools.makeAsyncIterator()
        guard let pool = try await iterator.next() else { throw CancellationError() }
        self.pool = pool
    }

    deinit { end.finish() }
}
