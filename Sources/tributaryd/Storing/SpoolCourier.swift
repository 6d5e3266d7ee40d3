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
            var lastComplaint: String?
            while !Task.isCancelled {
                if spool.depth.batches > 0 || !sink.isDatabasePresent {
                    let complaint = await deliver()
                    // Someone must act, and is told once.
                    if let complaint, complaint != lastComplaint {
                        logger.error("the spool cannot be delivered", metadata: ["reason": "\(complaint)"])
                    }
                    lastComplaint = complaint
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// - Returns: what stands in the way, where it is not that the database is away.
    private func deliver() async -> String? {
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
            return nil
        } catch {
            // Where the database is still away, or away again, the spool keeps what is left.
            logger.debug("spool not delivered", metadata: ["error": "\(error)"])
            switch error {
            case _ where Task.isCancelled: return nil
            case EventWriterError.unavailable, EventWriterError.overloaded, EventWriterError.closed: return nil
            case let error as PostgresError where error.isUnavailable || error.kind == .closed: return nil
            default: return "\(error)"
            }
        }
    }
}
