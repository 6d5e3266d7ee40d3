import Logging
import Postgres
import ServiceLifecycle
import Storage

/// Delivers the spool to PostgreSQL, in order, once PostgreSQL is back; migrates it first where that could not be done at
/// the start.
struct SpoolCourier: Service {
    /// How often it looks.
    private static let pause: Duration = .milliseconds(500)

    let spool: Spool
    let sink: SpoolingSink
    let writer: EventWriter
    let schema: DatabaseSchema
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if spool.depth.batches > 0 || !sink.isDatabasePresent { await deliver() }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func deliver() async {
        do {
            try await schema.ensure()
            var delivered = 0
            while !Task.isCancelled, let batch = try await spool.oldest() {
                _ = try await writer.store(contentsOf: batch.submissions)
                try await spool.remove(through: batch.position)
                delivered += batch.submissions.reduce(0) { $0 + $1.events.count }
            }
            if delivered > 0 { logger.notice("spool delivered", metadata: ["events": "\(delivered)"]) }
            if !Task.isCancelled { sink.markPresent() }
        } catch {
            // The database is still away, or away again: the spool keeps what is left.
            logger.debug("spool not delivered", metadata: ["error": "\(error)"])
        }
    }
}
