import Logging
import Postgres
import ServiceLifecycle
import Storage

/// Delivers the spool to PostgreSQL, in order, once PostgreSQL is back; migrates it first where that could not be done at
/// the start.
struct SpoolCourier: Service {
    /// How often it looks.
    private static let pause: Duration = .milliseconds(500)

    /// How many times it looks at its own spool until it looks for those that nobody delivers.
    private static let looksPerRound = 20

    let spool: Spool
    /// Where spools lie, its own and others'.
    let folder: String
    let sink: SpoolingSink
    let writer: EventWriter
    let schema: DatabaseSchema
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var lastComplaint: String?
            var looks = 0
            while !Task.isCancelled {
                var complaint: String?
                if spool.depth.batches > 0 || !sink.isDatabasePresent {
                    complaint = await deliver(spool)
                    if complaint == nil, sink.isDatabasePresent { complaint = await deliverAbandoned() }
                } else if looks % Self.looksPerRound == 0 {
                    complaint = await deliverAbandoned()
                }
                looks += 1
                // Someone must act, and is told once.
                if let complaint, complaint != lastComplaint {
                    logger.error("the spool cannot be delivered", metadata: ["reason": "\(complaint)"])
                }
                lastComplaint = complaint
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// What a daemon has answered for that has not been started again is delivered by those that run.
    private func deliverAbandoned() async -> String? {
        do {
            for spool in try Spool.abandoned(in: folder, logger: logger) {
                logger.notice("a spool that no process has open is delivered")
                if let complaint = await deliver(spool) { return complaint }
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// - Returns: what stands in the way, where it is not that the database is away.
    private func deliver(_ spool: Spool) async -> String? {
        do {
            try await schema.ensure()
            var delivered = 0
            while !Task.isCancelled, let batch = try await spool.oldest() {
                _ = try await writer.store(contentsOf: batch.submissions)
                try await spool.remove(through: batch.position)
                delivered += batch.submissions.reduce(0) { $0 + $1.events.count }
            }
            // `tributary` may have taken out what waited there last (SpoolFolder).
            if !Task.isCancelled, spool.depth.batches > 0 { try await spool.recount() }
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
