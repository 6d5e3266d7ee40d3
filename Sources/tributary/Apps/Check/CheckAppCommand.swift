import ArgumentParser
import Redirects
import Storage

struct CheckAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Ask the app's link hosts as phones and previews do, and say what is wrong.",
        discussion: """
            Asks each link host for the files by which iPhones and Android open the app, as Apple and Google do, and \
            compares them with the app's settings. Then follows one link as eight visitors, to where it leads. Counts \
            no click. Changes nothing. Ends with status 65 if something is wrong.

              tributary app check shop
              tributary app check shop --slug sale
              tributary app check shop --base-url http://127.0.0.1:8080

            With --listen it asks nobody. It shows the events of one device as they arrive, the last minute's \
            included, and what its install is credited to: to see what your app sends.

              tributary app check shop --listen
            """
    )

    @OptionGroup var app: NamedApp

    @Option(help: "The link to follow (default: the newest).")
    var slug: String?

    @Option(
        help: ArgumentHelp(
            "Ask this server in place of the hosts, with their names in the header Host: for staging.",
            valueName: "url"
        )
    )
    var baseURL: String?

    @Flag(help: "Show the events of one device as they arrive, until Ctrl-C.")
    var listen = false

    @Option(help: "With --listen: the device (default: that of the first event).")
    var device: String?

    @Option(help: "With --listen: end after so many minutes, at most 60.")
    var minutes = 10

    @Option(help: "With --listen: end after so many events, at most 1000.")
    var count = 1_000

    func validate() throws {
        guard device?.isEmpty != true else { throw ValidationError("--device is empty") }
    }

    func run() async throws {
        try (1...60).check(minutes, of: "--minutes")
        try (1...1_000).check(count, of: "--count")
        guard listen else { return try await check() }
        let (minutes, count) = (minutes, count)
        let shown = try await app.database.withPool(readsOnly: true) { pool in
            let app = try await AppStore(pool: pool).app(id: self.app.id)
            let listener = DeviceListener(app: app, pool: pool, device: device)
            StandardError.write("listening to \(app.profile.id) for \(minutes) min; Ctrl-C ends")
            return try await Interruption.cancels(saying: "nothing was changed") {
                try await listener.run(minutes: minutes, count: count)
            }
        }
        guard shown == 0 else { return }
        StandardError.write("nothing arrived. Does the kit have consent? 'tributary rejected list --app \(app.id)'?")
    }

    private func check() async throws {
        let base = try baseURL.map(HostClient.checkedBase)
        let (app, link): (App, Link?) = try await app.database.withPool(readsOnly: true) { pool in
            let app = try await AppStore(pool: pool).app(id: self.app.id)
            return (app, try await chosenLink(of: app, LinkStore(pool: pool)))
        }
        let client = HostClient(base: base)
        let hosts = app.profile.linkHosts
        var findings = AppCheck.settings(app.linkApp, hosts: hosts)
        for host in hosts { findings += await AppCheck.files(of: app.linkApp, on: host, client) }
        if let link {
            findings += await VisitorCheck(link: link, app: app.linkApp, client: client).findings()
        } else if !hosts.isEmpty {
            let advice = "Create one: 'tributary link create --app \(app.profile.id) --target-url URL'."
            findings.append(DoctorFinding(.warning, "links: there is none to follow", advice: advice))
        }
        try await client.close()
        print(findings.map(\.lines).joined(separator: "\n"))
        if findings.contains(where: { $0.state == .wrong }) { throw ExitCode(CommandFailure.Status.badData.rawValue) }
    }

    private func chosenLink(of app: App, _ store: LinkStore) async throws -> Link? {
        guard let slug else { return try await store.list(of: app, order: .newestFirst, limit: 1).first }
        guard let link = try await store.link(of: app, slug: slug) else { throw LinkOptions.notFound(slug, app) }
        return link
    }
}
