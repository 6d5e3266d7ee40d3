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
        case .worker(let coordinator):
            return [DoctorFinding(.missing, "cluster: \(DistributionError.isWorker(coordinator: coordinator))")]
        case .distributed: break
        }
        do {
            return findings(try await pool.withConnection { try ClusterState.read($0) })
        } catch let error as PostgresError where error.isStatementTimeout {
            return [
                DoctorFinding(
                    .missing,
                    "workers: no answer within a few seconds",
                    advice: "One of them accepts connections and does not answer. The log of the coordinator names it."
                )
            ]
        }
    }

    static func findings(_ state: ClusterState) -> [DoctorFinding] {
        var findings = state.workers.map { worker -> DoctorFinding in
            guard let answer = worker.answer else {
                return DoctorFinding(
                    .missing,
                    "\(worker.name): no answer: \(worker.reason)",
                    advice: "Events of its apps wait in the spool. 'tributary app create' fails until it is back."
                )
            }
            let apps = state.apps[worker.name, default: 0]
            return DoctorFinding(
                .good,
                "\(worker.name): PostgreSQL and Citus \(answer.versions); apps: \(apps)"
            )
        }
        if state.workers.count > 1, let (name, apps) = state.apps.first, state.apps.count == 1, apps > 1 {
            findings.append(
                DoctorFinding(
                    .warning,
                    "\(name): it has all \(apps) apps",
                    advice: "If it fails, all of them wait. docs/scaling.md says how to spread small apps."
                )
            )
        }
        let answers = state.workers.compactMap { worker in worker.answer.map { (name: worker.name, answer: $0) } }
        if Set(answers.map(\.answer.versions)).count > 1 {
            findings.append(
                DoctorFinding(
                    .warning,
                    "workers: they have different versions",
                    advice: "Upgrade all nodes to the same version."
                )
            )
        }
        for (name, answer) in answers where answer.isMoving {
            findings.append(
                DoctorFinding(
                    .warning,
                    "\(name): a part is being moved to another worker",
                    advice: "Migrations, and 'tributary prune' if it drops a month, are refused until it is there."
                )
            )
        }
        for (name, answer) in answers where answer.commitsInDoubt > 0 {
            findings.append(
                DoctorFinding(
                    .warning,
                    "\(name): \(answer.commitsInDoubt.named("commit")) in doubt for more than two minutes",
                    advice: "Packing and figures wait for them. 'select recover_prepared_transactions()' on the "
                        + "coordinator ends them; its log says why Citus has not done it."
                )
            )
        }
        for node in [state.coordinator] + state.workers {
            findings += (node.answer?.wrongSettings ?? []).map { setting, value in
                DoctorFinding(
                    .warning,
                    "\(node.name): \(setting.problem(value))",
                    advice: "Set it in postgresql.conf and restart the server."
                )
            }
            findings += state.lacks(of: node).map { finding($0, node.name) }
        }
        return findings
    }

    private static func finding(_ lack: ClusterState.Lack, _ worker: String) -> DoctorFinding {
        func make(_ function: String) -> String {
            "Reports or packing fail there. On the coordinator: select create_distributed_function('\(function)');"
        }
        return switch lack {
        case .function(let name):
            DoctorFinding(.warning, "\(worker): the function \(name) is missing", advice: make(name))
        case .otherFunction(let name):
            DoctorFinding(.warning, "\(worker): the function \(name) is not the coordinator's", advice: make(name))
        case .login(let role):
            DoctorFinding(
                .warning,
                "\(worker): the role \(role) is missing or cannot log in",
                advice: "The coordinator logs in there as it. Create it there, with its password (deploy/postgresql)."
            )
        case .connections(let role, let limit):
            DoctorFinding(
                .warning,
                "\(worker): the role \(role) has a limit of \(limit) connections",
                advice: "One session of the coordinator may open 16 there: alter role \(role) connection limit -1;"
            )
        }
    }
}
