import Foundation
import Postgres
import Redirects
import Storage
import Time

/// The whole demo, on a database that is running: its app, the daemon, the traffic, the reports.
struct DemoRun: Sendable {
    static let appID = "demo"
    private static let appName = "Recipe Box (demo)"

    /// Of the last day. Earlier days have fewer.
    let people: Int
    let days: Int
    let seed: UInt64
    let folder: String
    let pool: PostgresPool
    /// For the daemon. It names the database, which never stands on the command line.
    let environment: [String: String]
    /// For the daemon, beside its port.
    let arguments: [String]

    func run() async throws -> DemoSummary {
        let daemon = try daemonExecutable()
        let store = AppStore(pool: pool)
        let keys = try await makeApp(in: store)
        let app = try await store.app(id: Self.appID)
        try await makeLinks(of: app)
        let requests = makeRequests(of: app)
        let visits = DemoVisits(people: people, seed: seed)
        try Task.checkCancellation()

        // The daemon gets a spool of its own, because another daemon may use the usual one. The spool takes nothing,
        // because the reports below read the database only.
        let spool = FileManager.default.temporaryDirectory.appending(path: "tributary-demo-\(getpid())")
        defer { try? FileManager.default.removeItem(at: spool) }
        var environment = environment
        environment["TRIBUTARY_SPOOL_FOLDER"] = spool.path
        environment["TRIBUTARY_SPOOL_BYTES"] = "0"

        StandardError.write("Starting the daemon …")
        let (tally, took) = try await DemoDaemon.withDaemon(
            at: daemon,
            arguments: ["--host", "127.0.0.1", "--port", "0"] + arguments,
            environment: environment
        ) { address in
            let sender = DemoSender(daemon: address, writeKey: keys.writeKey)
            try await sender.waitUntilReady()
            StandardError.write(
                "Sending \(days == 1 ? "a day" : "\(days) days") of traffic to \(address.absoluteString) …"
            )
            let start = ContinuousClock.now
            var tally = try await sender.send(requests)
            StandardError.write("Following short links …")
            tally.add(try await sender.send(try await visits.follow(at: address)))
            return (tally, ContinuousClock.now - start)
        }
        guard tally.accepted + tally.duplicates + tally.rejectedCount == tally.events else {
            throw CommandFailure(
                .internalError,
                "the daemon's answers do not add up to the \(tally.events) events that were sent"
            )
        }

        let reports = DemoReports(
            pool: pool,
            app: app,
            folder: URL(fileURLWithPath: folder, isDirectory: true)
        )
        return DemoSummary(
            tally: tally,
            visits: visits.counts,
            took: took,
            people: people,
            days: days,
            folder: folder,
            files: try await reports.run(),
            writeKey: keys.writeKey,
            readKey: keys.readKey,
            program: CommandLine.arguments.first ?? "tributary"
        )
    }

    /// The requests of all days, in order. The app grows: the first of many days has half as many people as the last.
    private func makeRequests(of app: App) -> [DemoRequest] {
        var known: [DemoPerson] = []
        var settlers: [(settler: DemoSettler, day: Int)] = []
        var requests: [DemoRequest] = []
        for (number, day) in DemoDay.days(days, before: .now).enumerated() {
            let count = people - people / 2 * (days - 1 - number) / days
            let seed = seed &+ UInt64(number)
            settlers.removeAll { number - $0.day > DemoSettler.days }
            let traffic = DemoTraffic(
                people: count,
                seed: seed,
                day: day,
                known: known,
                settlers: settlers.map { (settler: $0.settler, daysAgo: number - $0.day) }
            )
            requests += DemoDelivery(traffic, seed: seed).requests
            // Those of the last day go through the daemon.
            if number < days - 1 {
                requests += DemoVisits(people: count, seed: seed).past(on: day, of: app, seed: seed)
            }
            known += traffic.regulars
            settlers += traffic.settlers.map { (settler: $0, day: number) }
        }
        return requests
    }

    /// Creates the demo's app, in place of one from an earlier demo. An app of that id from elsewhere is left alone.
    private func makeApp(in store: AppStore) async throws -> (writeKey: String, readKey: String) {
        if let old = try await store.list().first(where: { $0.profile.id == Self.appID }) {
            guard old.profile.name == Self.appName else {
                throw CommandFailure(
                    .usage,
                    "the demo did not create the app '\(Self.appID)' of this database; name another --database"
                )
            }
            StandardError.write("Replacing the app '\(Self.appID)' of an earlier demo: its keys end …")
            _ = try await store.delete(old)
        }
        var profile = AppProfile(id: Self.appID, name: Self.appName)
        profile.namespace = DemoLink.namespace
        profile.bundleIDs = ["example.recipebox"]
        profile.urlSchemeSuffixes = ["pad"]
        profile.linkHosts = [DemoShortLink.host]
        profile.iPhoneStoreID = "1234567890"
        profile.androidPackage = "example.recipebox"
        let keys = try await store.create(profile)
        let app = try await store.app(id: Self.appID)
        try await store.declare(AppProperty("diet", of: .person), of: app)
        try await store.declare(AppProperty("shop", of: .conversion), of: app)
        return keys
    }

    private func makeLinks(of app: App) async throws {
        let made = try await LinkStore(pool: pool).create(DemoShortLink.all.map(\.link), of: app, reuse: false)
        for case .faults(let faults) in made {
            throw CommandFailure(.internalError, "a short link cannot be created: \(faults.map(\.message))")
        }
    }

    /// The path of `tributaryd`, which must be in the folder of this program.
    private func daemonExecutable() throws -> URL {
        guard let own = Bundle.main.executableURL?.resolvingSymlinksInPath() else {
            throw CommandFailure(.internalError, "cannot find the folder of this program")
        }
        let daemon = own.deletingLastPathComponent().appending(path: "tributaryd")
        guard FileManager.default.isExecutableFile(atPath: daemon.path) else {
            throw CommandFailure(
                .internalError,
                "tributaryd is missing: it should be beside this program, at \(daemon.path)"
            )
        }
        return daemon
    }
}
