import Ingest
import Storage
import Time

/// Ready means that a new event would be stored: in the database, or in the spool while the database is unavailable.
struct StorageReadiness: ReadinessProbe {
    /// Room in the spool below which it counts as full: 64 KiB, the size of a batch of some 200 events. A spool refuses
    /// larger batches before its last byte is used.
    private static let leastRoom = 64 << 10

    let clock: TrustedClock
    let address: DatabaseAddress
    let schema: DatabaseSchema
    let sink: SpoolingSink
    let spool: Spool
    /// Whether a standby answers reports.
    let hasStandby: Bool

    func readiness() async -> Readiness {
        let depth = spool.depth
        var reasons: [String] = []
        if let fault = clock.fault { reasons.append(fault.reason) }
        if !schema.isMigrated {
            reasons.append(startReason + "; events of known keys go to the spool")
        } else if !sink.isDatabasePresent, depth.bytes > spool.byteLimit - Self.leastRoom {
            reasons.append("the database is unavailable and the spool is full")
        } else if !sink.isDatabasePresent, let refusal = spool.refusal {
            reasons.append("the database is unavailable, and \(refusal)")
        }
        var readiness = Readiness(
            reasons: reasons,
            details: [
                ("database", .text(sink.isDatabasePresent ? "present" : "away")),
                ("spool_events", .number(Int64(depth.events))),
                ("spool_bytes", .number(Int64(depth.bytes))),
                ("spool_limit_bytes", .number(Int64(spool.byteLimit))),
                ("spool_age_seconds", .number(depth.ageSeconds(at: .now))),
            ]
        )
        if hasStandby { readiness.details.append(("reports", .text("standby"))) }
        return readiness
    }

    private var startReason: String {
        if !address.isKnown {
            "starting: the private PostgreSQL server is not running yet"
        } else if schema.isMigrating {
            "starting: the database is being migrated"
        } else {
            "the database is unavailable and its schema is not checked yet"
        }
    }
}
