import ArgumentParser
import Settings
import Storage
import Time

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check what Tributary needs, and say what is missing and how to get it.",
        discussion: """
            Changes nothing, but starts the private cluster if that is the database and it is down, and says so. Asks \
            the daemons that use the spool folder for their version and their clock. Ends with status 69 if events \
            could not be stored now, with 65 if a spool is damaged.
            """
    )

    @Flag(name: .customLong("no-start"), help: "Do not start the private cluster: that it is down is then a finding.")
    var examinesOnly = false

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let settings = try await SettingsReader(file: database.file)
        let place = try await DatabaseSettings(flag: database.url, settings)
        var findings = [ClusterFindings.programs(place)]
        let server = await ClusterFindings.server(place, mayStart: !examinesOnly)
        findings += server
        var identity: DatabaseIdentity?
        if !server.contains(where: { $0.state == .missing }) {
            let (databaseFindings, known) = await DatabaseFindings.all(database)
            findings += databaseFindings
            identity = known
        }
        if let standby = try await StandbyFinding.make(settings, of: identity) { findings.append(standby) }
        findings += ClusterFindings.disk(place)
        let spool = try await SpoolSettings(settings)
        findings += SpoolFindings.all(spool, of: identity, at: .now)
        findings += await DaemonFindings.all(spool)
        print(findings.map(\.lines).joined(separator: "\n"))
        if findings.contains(where: { $0.state == .missing }) {
            throw ExitCode(CommandFailure.Status.databaseUnavailable.rawValue)
        }
        if findings.contains(where: { $0.state == .damaged }) {
            throw ExitCode(CommandFailure.Status.badData.rawValue)
        }
    }
}
