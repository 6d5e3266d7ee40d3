import Logging
import Postgres
import ServiceLifecycle
import Storage
import Events

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

    /// - Throws: `SpoolError.ofAnotherDatabase` where another database is at the place of the one that keys and requests are
    ///   of. A daemon serves one.
    func run() async throws {
        try await cancelWhenGracefulShutdown {
            var lastComplaint: String?
            var looks = 0
            while !Task.isCancelled {
                if spool.depth.batches > 0 || !sink.isDatabasePresent || looks % Self.looksPerRound == 0 {
                    let complaint = try await deliver()
                    // Someone must act, and is told once.
                    if let complaint, complaint != lastComplaint {
                        logger.error("the spool cannot be delivered", metadata: ["reason": "\(complaint)"])
                    }
                    lastComplaint = complaint
                }
                looks += 1
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Delivers its own spool, and those of daemons that have not been started again.
    ///
    /// - Returns: what stands in the way, where it is not that the database is away.
    private func deliver() async throws(SpoolError) -> String? {
        do {
            let database = try await schema.ensure()
            try await spool.claim(for: database)
            try await deliver(spool)
            if !Task.isCancelled { sink.markPresent() }
            var complaint: String?
            for spool in try Spool.abandoned(in: folder, logger: logger) {
                do {
                    try await spool.claim(for: database)
                    logger.notice("a spool that no process has open is delivered")
                    try await deliver(spool)
                } catch SpoolError.ofAnotherDatabase(let path, let origin) {
                    complaint =
                        "\(path) is for another database, \(origin): a daemon with that one and this folder delivers it"
                }
            }
            return complaint
        } catch SpoolError.ofAnotherDatabase(let path, let origin) where path == spool.path {
            throw .ofAnotherDatabase(path: path, origin: origin)
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

    private func deliver(_ spool: Spool) async throws {
        var delivered = 0
        while !Task.isCancelled, let batch = try await spool.oldest() {
            _ = try await writer.store(contentsOf: batch.submissions)
            try await spool.remove(through: batch.position)
            delivered += batch.submissions.reduce(0) { $0 + $1.events.count }
        }
        // `tributary` may have taken out what waited there last (SpoolFolder).
        if !Task.isCancelled, spool.depth.batches > 0 { try await spool.recount() }
        if delivered > 0 { logger.notice("spool delivered", metadata: ["events": "\(delivered)"]) }
    }
}
