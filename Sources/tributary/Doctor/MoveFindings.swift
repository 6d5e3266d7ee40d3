import Postgres
import Storage

/// The check of apps that move to another database, or come from one (docs/moving.md).
enum MoveFindings {
    static func all(_ pool: PostgresPool) async throws -> [DoctorFinding] {
        try await pool.withConnection { try MoveState.all(on: $0) }.map { move in
            finding(of: move.app, move.state, since: move.since + " UTC")
        }
    }

    private static func finding(of app: String, _ state: MoveState, since time: String) -> DoctorFinding {
        let command = "'tributary app move \(app) --to URL'"
        let again = "If nobody runs \(command) now, run it again: it goes on. With --undo, it takes the move back."
        return switch state {
        case .departing:
            DoctorFinding(
                .warning,
                "the app '\(app)' is being copied to another database since \(time); events are stored here",
                advice: again
            )
        case .barred:
            DoctorFinding(
                .warning,
                "the app '\(app)' is barred since \(time), because it moves to another database; its events wait in "
                    + "spools",
                advice: again
            )
        case .moved:
            DoctorFinding(
                .good,
                "the app '\(app)' has moved to another database, \(time)",
                advice: "When nothing comes here any more, 'tributary app delete \(app)' deletes what is left here."
            )
        case .arriving:
            DoctorFinding(
                .warning,
                "the app '\(app)' comes from another database since \(time); nothing shows it here yet",
                advice: "If nobody runs \(command) there now, run it again, or with --undo."
            )
        case .undone:
            DoctorFinding(
                .warning,
                "the app '\(app)' was to come from another database; its copy is being removed since \(time)",
                advice: "If nobody runs \(command) --undo there now, run it again."
            )
        }
    }
}
