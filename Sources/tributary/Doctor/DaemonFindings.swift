import Foundation
import JSONReading
import NIOCore
import NIOHTTP1
import Settings
import Storage
import Time

/// The checks of the daemons that use the spool folder, and of the one at the configured address: their version, their
/// clock, and whether they can store events.
enum DaemonFindings {
    /// Where the settings have the daemon listen; nil if the system chooses the port.
    static func address(_ settings: SettingsReader) async throws -> String? {
        // The daemon's own defaults (docs/configuration.md).
        let host = try await settings.string("host") ?? ""
        let port = try await settings.integer("port")
        guard port != 0 else { return nil }
        return host.contains(":") && !host.hasPrefix("[") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// - Parameters:
    ///   - database: of those that the daemons may serve.
    ///   - configured: the address of the settings. A daemon cannot note its own if the disk of its spool is full.
    ///   - hasSession: whether any daemon has a session with the database; nil if that is not known.
    static func all(
        _ settings: SpoolSettings,
        of database: NamedDatabase,
        at configured: String?,
        hasSession: Bool?
    ) async -> [DoctorFinding] {
        let notes = DaemonNote.all(in: settings.folder)
        var findings: [DoctorFinding] = []
        if notes.isEmpty {
            findings.append(DoctorFinding(.good, "daemon: none runs with the spool folder \(settings.folder)"))
        }
        for note in notes {
            let daemon = "daemon: process \(note.process) at \(note.address)"
            findings +=
                await ask(daemon, at: note.address, of: database, hasSession: hasSession) ?? [
                    DoctorFinding(
                        .warning,
                        "\(daemon) does not answer",
                        advice: "Is it starting or stopping? Its log says what it does."
                    )
                ]
        }
        if let configured, !notes.contains(where: { $0.address == configured }) {
            let daemon = "daemon: the one at \(configured)"
            findings += await ask(daemon, at: configured, of: database, hasSession: hasSession) ?? []
        }
        return findings
    }

    /// - Returns: nil if no daemon answers.
    private static func ask(
        _ daemon: String,
        at address: String,
        of database: NamedDatabase,
        hasSession: Bool?
    ) async -> [DoctorFinding]? {
        // A daemon that listens on all addresses is asked on this machine's own.
        let address = address.replacing(/^0\.0\.0\.0:/, with: "127.0.0.1:").replacing(/^\[::\]:/, with: "[::1]:")
        guard let url = URL(string: "http://\(address)") else { return nil }
        let client = DaemonClient(daemon: url)
        let before = Timestamp.now
        guard let health = await health(client) else { return nil }
        let after = Timestamp.now
        let readiness = await readiness(client, of: database)
        if hasSession == false, readiness?.isPresent == true {
            return [DoctorFinding(.good, "\(daemon) answers; it stores in another database")]
        }
        var findings = [
            health.version == TributaryVersion.current
                ? DoctorFinding(.good, "\(daemon) answers, version \(health.version)")
                : DoctorFinding(
                    .warning,
                    "\(daemon) has version \(health.version), this command \(TributaryVersion.current)",
                    advice: "After an upgrade, restart the daemon. Use the command line of the same version."
                ),
            ClockFinding.make(
                of: "the daemon",
                theirs: health.now.microseconds,
                between: before.microseconds,
                and: after.microseconds
            ),
        ]
        switch readiness?.reasons {
        case nil:
            findings.append(
                DoctorFinding(.warning, "\(daemon) does not say whether it can store events", advice: "Ask /readyz.")
            )
        case []?: break
        case let reasons?:
            findings.append(
                DoctorFinding(
                    .missing,
                    "\(daemon) cannot store events: \(reasons.joined(separator: "; "))",
                    advice: "Its log says more."
                )
            )
        }
        return findings
    }

    private static func health(_ daemon: DaemonClient) async -> (version: String, now: Timestamp)? {
        guard let answer = try? await daemon.ask("healthz", within: .seconds(3)),
            let root = try? JSONDocument(reading: answer.body.readableBytesView).root,
            let version = root["version"]?.string, let now = root["now"]?.string.flatMap(Timestamp.init(rfc3339:))
        else { return nil }
        return (version, now)
    }

    /// - Returns: why the daemon cannot store events for the database, and whether it has it; nil if it does not say.
    private static func readiness(
        _ daemon: DaemonClient,
        of database: NamedDatabase
    ) async -> (reasons: [String], isPresent: Bool)? {
        guard let answer = try? await daemon.ask("readyz", within: .seconds(3)),
            let root = try? JSONDocument(reading: answer.body.readableBytesView).root
        else { return nil }
        // A daemon of several databases says it of each, and is ready while one is.
        if let details = root["details"], let status = details["\(database.name)_status"]?.string {
            return (status == "ready" ? [] : [status], details["\(database.name)_database"]?.string == "present")
        }
        let reasons = root["reasons"]?.elements.compactMap(\.string) ?? []
        return (
            answer.status == .ok ? [] : reasons.isEmpty ? ["it answers \(answer.status.code)"] : reasons,
            root["details"]?["database"]?.string == "present"
        )
    }
}
