import Foundation
import Postgres
import Storage
import Time

/// The whole demo, on a database that is there: an app of its own, the daemon, the traffic, the reports.
struct DemoRun: Sendable {
    static let appID = "demo"
    private static let appName = "Recipe Box (demo)"

    /// Of each day.
    let people: Int
    let days: Int
    let seed: UInt64
    let folder: String
    let pool: PostgresPool
    /// For the daemon: which database, never on its command line.
    let environment: [String: String]
    /// For the daemon, beside its port.
    let arguments: [String]

    func run() async throws -> DemoSummary {
        let daemon = try daemonExecutable()
        let store = AppStore(pool: pool)
        let keys = try await makeApp(in: store)
        let requests = makeRequests()
        try Task.checkCancellation()

        // A spool of its own, that takes nothing: another daemon may be using the usual one, and the reports below read the
        // database alone.
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
            let tally = try await sender.send(requests)
            return (tally, ContinuousClock.now - start)
        }
        guard tally.accepted + tally.duplicates + tally.rejectedCount == tally.events else {
            throw CommandFailure(
                .internalError,
                "the daemon's answers do not add up to the \(tally.events) events sent"
            )
        }

        let reports = DemoReports(
            pool: pool,
            app: try await store.app(id: Self.appID),
            folder: URL(fileURLWithPath: folder, isDirectory: true)
        )
        return DemoSummary(
            tally: tally,
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

    /// Day by day. The app grows: the first of many days has half as many people as the last.
    private func makeRequests() -> [DemoRequest] {
        var known: [DemoPerson] = []
        var requests: [DemoRequest] = []
        for (number, day) in DemoDay.days(days, before: .now).enumerated() {
            let count = people - people / 2 * (days - 1 - number) / days
            let seed = seed &+ UInt64(number)
            let traffic = DemoTraffic(people: count, seed: seed, day: day, known: known)
            requests += DemoDelivery(traffic, seed: seed).requests
            known += traffic.regulars
        }
        return requests
    }

    /// The app of the demo, afresh. One of the same id that somebody else made is left alone.
    private func makeApp(in store: AppStore) async throws -> (writeKey: String, readKey: String) {
        if let old = try await store.list().first(where: { $0.profile.id == Self.appID }) {
            guard old.profile.name == Self.appName else {
                throw CommandFailure(
                    .usage,
                    "there is an app '\(Self.appID)' that the demo did not make; name another --database"
                )
            }
            _ = try await store.delete(old)
        }
        var profile = AppProfile(id: Self.appID, name: Self.appName)
        profile.namespace = DemoLink.namespace
        profile.bundleIDs = ["example.recipebox"]
        profile.urlSchemeSuffixes = ["pad"]
        return try await store.create(profile)
    }

    /// `tributaryd`, beside this program.
    private func daemonExecutable() throws -> URL {
        guard let own = Bundle.main.executableURL?.resolvingSymlinksInPath() else {
            throw CommandFailure(.internalError, "cannot tell where this program is")
        }
        let daemon = own.deletingLastPathComponent().appending(path: "tributaryd")
        guard FileManager.default.isExecutableFile(atPath: daemon.path) else {
            throw CommandFailure(.internalError, "there is no tributaryd beside this program, in \(daemon.path)")
        }
        return daemon
    }
}
