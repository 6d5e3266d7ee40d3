import Foundation
import JSONReading
import NIOCore
import Settings
import Storage
import Time

/// The checks of the daemons that use the spool folder: where they listen, their version and their clock.
enum DaemonFindings {
    static func all(_ settings: SpoolSettings) async -> [DoctorFinding] {
        let notes = DaemonNote.all(in: settings.folder)
        guard !notes.isEmpty else {
            return [DoctorFinding(.good, "daemon: none runs with the spool folder \(settings.folder)")]
        }
        var findings: [DoctorFinding] = []
        for note in notes { findings += await ask(note) }
        return findings
    }

    private static func ask(_ note: DaemonNote) async -> [DoctorFinding] {
        let daemon = "daemon: process \(note.process) at \(note.address)"
        let before = Timestamp.now
        guard let health = await health(at: note.address) else {
            return [
                DoctorFinding(
                    .warning,
                    "\(daemon) does not answer",
                    advice: "Is it starting or stopping? Its log says what it does."
                )
            ]
        }
        let clock = ClockFinding.make(
            of: "the daemon",
            theirs: health.now.microseconds,
            between: before.microseconds,
            and: Timestamp.now.microseconds
        )
        guard health.version == TributaryVersion.current else {
            return [
                DoctorFinding(
                    .warning,
                    "\(daemon) has version \(health.version), this command \(TributaryVersion.current)",
                    advice: "After an upgrade, restart the daemon. Use the command line of the same version."
                ),
                clock,
            ]
        }
        return [DoctorFinding(.good, "\(daemon) answers, version \(health.version)"), clock]
    }

    private static func health(at address: String) async -> (version: String, now: Timestamp)? {
        // A daemon that listens on all addresses is asked on this machine's own.
        let address = address.replacing(/^0\.0\.0\.0:/, with: "127.0.0.1:").replacing(/^\[::\]:/, with: "[::1]:")
        guard let daemon = URL(string: "http://\(address)"),
            let answer = try? await DaemonClient(daemon: daemon).ask("healthz", within: .seconds(3)),
            let root = try? JSONDocument(reading: answer.body.readableBytesView).root,
            let version = root["version"]?.string, let now = root["now"]?.string.flatMap(Timestamp.init(rfc3339:))
        else { return nil }
        return (version, now)
    }
}
