import Ingest

struct FixedReadiness: ReadinessProbe {
    var value = Readiness(details: [("database", .flag(true)), ("spool_bytes", .number(0))])

    func readiness() async -> Readiness {
        value
    }
}
