import Ingest

/// Ready while some database is: if another one is away and its spool is full, its own apps alone are refused.
struct DatabasesReadiness: ReadinessProbe {
    /// With the names of their databases.
    let probes: [(name: String, probe: any ReadinessProbe)]
    let conflicts: LinkConflicts

    func readiness() async -> Readiness {
        var all: [(name: String, readiness: Readiness)] = []
        for (name, probe) in probes { all.append((name, await probe.readiness())) }
        var result = Readiness()
        if !all.contains(where: \.readiness.isReady) {
            result.reasons = all.flatMap { name, readiness in readiness.reasons.map { "\(name): \($0)" } }
        }
        for (name, readiness) in all {
            let state = readiness.isReady ? "ready" : readiness.reasons.joined(separator: "; ")
            result.details.append(("\(name)_status", .text(state)))
            result.details += readiness.details.map { ("\(name)_\($0.name)", $0.value) }
        }
        let conflicts = conflicts.all()
        if !conflicts.isEmpty { result.details.append(("conflicts", .text(conflicts.joined(separator: "; ")))) }
        return result
    }
}
