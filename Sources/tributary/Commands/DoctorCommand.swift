import ArgumentParser
import EmbeddedPostgres
import Postgres
import Settings
import Storage

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check what Tributary needs, and say what is missing and how to get it.",
        discussion:
            "Changes nothing, but starts the private cluster where that is the database. Ends with 69 when events could not be stored now."
    )

    @OptionGroup var database: DatabaseOptions

    private struct Finding {
        var isGood: Bool
        var what: String
        var advice: String?
    }

    func run() async throws {
        var findings: [Finding] = []
        if let binaries = EmbeddedPostgres.locate() {
            findings.append(
                Finding(isGood: true, what: "PostgreSQL \(binaries.version) server programs in \(binaries.folder)")
            )
        } else {
            findings.append(
                Finding(
                    isGood: false,
                    what: "PostgreSQL server programs are not installed",
                    advice: "Install them (\(InstallHint.current)), unless you name a database of your own."
                )
            )
        }
        findings += await databaseFindings()
        for finding in findings {
            print("\(finding.isGood ? "ok     " : "missing")  \(finding.what)")
            if let advice = finding.advice { print("         \(advice)") }
        }
        if findings.dropFirst().contains(where: { !$0.isGood }) {
            throw ExitCode(CommandFailure.Status.databaseUnavailable.rawValue)
        }
    }

    private func databaseFindings() async -> [Finding] {
        do {
            return try await database.withPool(migrating: false) { pool in
                var findings = [Finding(isGood: true, what: "database: \(pool.address)", advice: nil)]
                let (version, readOnly, entries) = try await pool.withConnection { connection in
                    let row = try connection.query(
                        "select current_setting('server_version'), current_setting('transaction_read_only') = 'on'"
                    )[0]
                    return (try row.text(0), try row.bool(1), try Migrator().status(connection))
                }
                findings.append(
                    Finding(
                        isGood: !readOnly,
                        what: "PostgreSQL \(version)" + (readOnly ? ", which takes no writes" : ""),
                        advice: readOnly ? "Is this a standby? Name the primary with --database." : nil
                    )
                )
                let open = entries.filter { $0.state != .applied }
                findings.append(
                    Finding(
                        isGood: open.isEmpty,
                        what: open.isEmpty
                            ? "schema: up to date, \(entries.count) migrations"
                            : "schema: \(open.map { "\($0.name) is \($0.state.rawValue)" }.joined(separator: ", "))",
                        advice: open.isEmpty ? nil : "'tributary migrate' applies what is pending; so does the daemon."
                    )
                )
                if open.isEmpty {
                    let apps = try await AppStore(pool: pool).list()
                    findings.append(
                        Finding(
                            isGood: true,
                            what: apps.isEmpty
                                ? "no app yet" : "apps: \(apps.map(\.profile.id).joined(separator: ", "))",
                            advice: apps.isEmpty ? "'tributary app create --id ID --name NAME' makes one." : nil
                        )
                    )
                }
                return findings
            }
        } catch {
            return [
                Finding(
                    isGood: false,
                    what: "database: \(error)",
                    advice: "Is the server running? Name another with --database or DATABASE_URL."
                )
            ]
        }
    }
}
