import Ingest
import Storage
import Time

/// Ready means: an event that came now would be kept, in the database or, while that is away, in the spool.
struct StorageReadiness: ReadinessProbe {
    let schema: DatabaseSchema
    let sink: SpoolingSink
    let spool: Spool

    func readiness() async -> Readiness {
        let depth = spool.depth
        var reasons: [String] = []
        if !schema.isMigrated {
            reasons.append("the database is away and not ready to migrate; events of known keys go to the spool")
        } else if !sink.isDatabasePresent, depth.bytes >= spool.byteLimit {
            reasons.append("the database is away and the spool is full")
        }
        return Readiness(
            reasons: reasons,
            details: [
                ("database", .text(sink.isDatabasePresent ? "present" : "away")),
                ("spool_events", .number(Int64(depth.events))),
                ("spool_bytes", .number(Int64(depth.bytes))),
                ("spool_limit_bytes", .number(Int64(spool.byteLimit))),
                ("spool_age_seconds", .number(depth.ageSeconds(at: .now))),
            ]
        )
    }
}
