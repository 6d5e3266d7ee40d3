import EmbeddedPostgres
import Postgres
import Settings

/// The checks of the private cluster, and of PostgreSQL's programs, which it needs.
enum ClusterFindings {
    static func programs(_ place: DatabaseSettings) -> DoctorFinding {
        if let binaries = EmbeddedPostgres.locate() {
            return DoctorFinding(.good, "PostgreSQL \(binaries.release) server programs in \(binaries.folder)")
        }
        if case .named = place {
            return DoctorFinding(
                .good,
                "PostgreSQL server programs are not installed; with --database they are not needed"
            )
        }
        return DoctorFinding(
            .missing,
            "PostgreSQL server programs are not installed",
            advice: "Install them (\(InstallHint.current)), or name a database with --database."
        )
    }

    /// Starts the private cluster, if that is the database and it may be started.
    ///
    /// - Returns: the findings; none for another database. If one of them is `missing`, there is no server to ask.
    static func server(_ place: DatabaseSettings, mayStart: Bool) async -> [DoctorFinding] {
        guard case .embedded(let home) = place else { return [] }
        let cluster = EmbeddedPostgres(home: home)
        do {
            switch cluster.status() {
            case .running(let address, _):
                return try await upgrade(of: cluster, address)
            case .stopped where mayStart:
                _ = try await cluster.start()
                return [
                    DoctorFinding(
                        .warning,
                        "private cluster: it was down; this command has started it",
                        advice:
                            "A running daemon keeps it running. Its log says why it ended: "
                            + "\(cluster.dataFolder ?? home)/server.log.old"
                    )
                ]
            case .stopped:
                return [
                    DoctorFinding(
                        .missing,
                        "private cluster: it is down, in \(cluster.dataFolder ?? home)",
                        advice: "The daemon or any other command starts it, also 'tributary doctor' without --no-start."
                    )
                ]
            case .absent where mayStart:
                _ = try await cluster.start()
                return [DoctorFinding(.good, "private cluster: there was none; this command has created it")]
            case .absent:
                return [
                    DoctorFinding(
                        .missing,
                        "private cluster: none yet in \(home)",
                        advice: "The daemon or any other command creates it."
                    )
                ]
            }
        } catch {
            return [DoctorFinding(.missing, "private cluster: \(error)")]
        }
    }

    /// Whether the programs were upgraded under the running server. It then cannot load its libraries any more.
    private static func upgrade(
        of cluster: EmbeddedPostgres,
        _ address: PostgresAddress
    ) async throws(EmbeddedPostgresError) -> [DoctorFinding] {
        let installed: String?
        do {
            installed = try await cluster.programs()?.release
        } catch {
            return [DoctorFinding(.warning, "private cluster: it runs, but could not start again: \(error)")]
        }
        guard let installed, let running = try? await cluster.serverRelease(at: address), running != installed else {
            return []
        }
        let text = "private cluster: PostgreSQL \(running) runs, but \(installed) is installed"
        return [
            DoctorFinding(
                .warning,
                text,
                advice: "A running daemon restarts it in some seconds: look at its log. If none runs, start one."
            )
        ]
    }

    /// Nil if the database is not the private cluster.
    static func disk(_ place: DatabaseSettings) -> DiskSpace? {
        guard case .embedded(let home) = place else { return nil }
        return DiskSpace(folder: home)
    }
}
