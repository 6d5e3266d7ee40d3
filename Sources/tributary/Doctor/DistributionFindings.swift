import Postgres
import Storage

/// The checks of a database that is spread over the workers of a Citus cluster (docs/scaling.md).
enum DistributionFindings {
    /// None on one machine.
    static func all(_ pool: PostgresPool) async throws -> [DoctorFinding] {
        switch try await pool.withConnection({ try Distribution.state($0) }) {
        case .oneMachine: return []
        case .unfinished: return [DoctorFinding(.missing, "cluster: \(DistributionError.unfinished)")]
        case .foreign(let table):
            return [DoctorFinding(.missing, "cluster: \(DistributionError.notOurs(table: table))")]
        case .distributed: return findings(try await pool.withConnection { try ClusterState.read($0) })
        }
    }

    static func findings(_ state: ClusterState) -> [DoctorFinding] {
        var findings = state.workers.map { worker -> DoctorFinding in
            guard let answer = worker.answer else {
                return DoctorFinding(
                    .missing,
                    "worker \(worker.name): no answer: \(worker.reason)",
                    advice: "Events of its apps wait in the spool. 'tributary app create' fails until it is back."
                )
            }
            return DoctorFinding(.good, "worker \(worker.name): PostgreSQL and Citus \(answer.versions)")
        }
        let answers = state.workers.compactMap { worker in worker.answer.map { (name: worker.name, answer: $0) } }
        if Set(answers.map(\.answer.versions)).count > 1 {
            findings.append(
                DoctorFinding(.warning, "workers: they have different versions", advice: "Upgrade all nodes alike.")
            )
        }
        for (name, answer) in answers where answer.isMoving {
            findings.append(
                DoctorFinding(
                    .warning,
                    "worker \(name): a part is being moved to another worker",
                    advice: "Migrations, and 'tributary prune' if it drops a month, are refused until it is there."
                )
            )
        }
        for (name, answer) in answers where answer.commitsInDoubt > 0 {
            findings.append(
                DoctorFinding(
                    .warning,
                    "worker \(name): \(answer.commitsInDoubt) commits have been in doubt for more than two minutes",
                    advice: "Packing and figures wait for them. 'select recover_prepared_transactions()' on the "
                        + "coordinator ends them; its log says why Citus has not done it."
                )
            )
        }
        return findings
    }
}
