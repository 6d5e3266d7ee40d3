import ArgumentParser
import Reporting
import Settings
import Storage
import Time

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check what Tributary needs, and say what is missing and how to get it.",
        discussion: """
            Changes nothing (--mail sends a mail), but starts the private cluster if that is the database and it is \
            down, and says so. Asks the daemons that use the spool folder, and the one at the address of the \
            settings, for their version, their clock and whether they can store events. Run it with the settings of \
            the service: a check that only the owner of the tables may make is left out for other roles. Ends with \
            status 69 if events could not be stored now, with 64 if the database's address is refused, with 65 if a \
            spool is damaged.
            """
    )

    @Flag(name: .customLong("no-start"), help: "Do not start the private cluster: that it is down is then a finding.")
    var examinesOnly = false

    @Option(help: ArgumentHelp("Send a trial mail to this address, as answers are sent.", valueName: "address"))
    var mail: String?

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let settings = try await SettingsReader(file: database.file)
        if let mail, (try? SendingTarget("mail:\(mail)")) == nil {
            throw CommandFailure(.usage, "--mail takes an address, such as ann@example.com")
        }
        let chosen = try await database.chosen()
        let place = chosen.place
        var findings = [ClusterFindings.programs(place)]
        let server = await ClusterFindings.server(place, mayStart: !examinesOnly)
        findings += server
        var known = DatabaseFindings.Known()
        if !server.contains(where: { $0.state == .missing }) {
            let (databaseFindings, found) = await DatabaseFindings.all(
                database,
                try await RetentionSettings(settings)
            )
            findings += databaseFindings
            known = found
        }
        let standby = try await StandbyFinding.make(chosen, settings, of: known.identity)
        findings += [standby].compactMap(\.self)
        let disk = ClusterFindings.disk(place)
        findings += disk.map { [$0.finding("the private cluster")] } ?? []
        let spool = try await SpoolSettings(settings, of: chosen)
        findings += SpoolFindings.all(spool, of: known.identity, isDatabaseFull: disk?.isFull ?? false, at: .now)
        findings += await DaemonFindings.all(
            spool,
            of: chosen,
            at: try await DaemonFindings.address(settings),
            hasSession: known.hasDaemon
        )
        findings += await MailFindings.all(try await SendingSettings(settings), trialTo: mail)
        print(findings.map(\.lines).joined(separator: "\n"))
        if findings.contains(where: { $0.state == .missing }) {
            let status: CommandFailure.Status = known.isAddressRefused ? .usage : .databaseUnavailable
            throw ExitCode(status.rawValue)
        }
        if findings.contains(where: { $0.state == .damaged }) {
            throw ExitCode(CommandFailure.Status.badData.rawValue)
        }
    }
}
