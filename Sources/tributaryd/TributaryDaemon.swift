import Answering
import ArgumentParser
import CoreMetrics
import Delivery
import Foundation
import Ingest
import Logging
import NIOCore
import Postgres
import ServiceLifecycle
import Settings
import Storage
import UnixSignals

/// The ingest daemon: configuration, then services, then run.
@main
struct TributaryDaemon: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tributaryd",
        abstract: "Receive events over HTTP and store them in PostgreSQL, until SIGTERM or SIGINT.",
        discussion: """
            The daemon migrates the database first. Without DATABASE_URL or --database, it creates and starts a \
            private PostgreSQL cluster under .tributary (TRIBUTARY_HOME).

            A flag overrides the environment (TRIBUTARY_HOST, TRIBUTARY_PORT, …), and the environment overrides the \
            file tributary.yaml. docs/configuration.md lists all settings.
            """,
        version: TributaryVersion.current
    )

    @Option(help: "The address to listen on (default 127.0.0.1).")
    var host: String?

    @Option(help: "The port to listen on (default 8080); 0 picks a free port, which the log names.")
    var port: Int?

    @Option(help: ArgumentHelp("The database (default: DATABASE_URL, otherwise a private cluster).", valueName: "url"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "How long a visitor of a short link waits for their click to be stored, in milliseconds (default 50).",
            valueName: "milliseconds"
        )
    )
    var clickWait: Int?

    @Option(
        help: ArgumentHelp("A YAML file of settings (default: tributary.yaml, if it exists).", valueName: "file")
    )
    var config: String?

    static func main() async {
        Allocator.keepSmall()
        do {
            var command = try parse(NegativeNumber.joined(Array(CommandLine.arguments.dropFirst())))
            try await command.run()
        } catch {
            DaemonFailure.exit(self, because: error)
        }
    }

    /// The time from SIGTERM until requests that are still being sent are cut off.
    private static let gracePeriod: Duration = .seconds(9)
    /// The time from SIGTERM until the daemon stops waiting for a database that does not respond.
    private static let hangingPatience: (present: Duration, away: Duration) = (.seconds(6), .seconds(1))

    mutating func run() async throws {
        // Settings are read once; a request to read them again must not end the daemon.
        signal(SIGHUP, SIG_IGN)
        let settings = try await DaemonSettings(
            host: host,
            port: port,
            database: database,
            clickWait: clickWait,
            reader: SettingsReader(file: config)
        )
        // PostgreSQL often runs on the same machine. On two processors, a request took a fifth less time with one event
        // loop than with two.
        NIOSingletons.groupLoopCountSuggestion = max(1, System.coreCount / 2)
        let logger = settings.makeLogger()
        if let unknown = UnknownVariables(in: ProcessInfo.processInfo.environment) {
            logger.warning("unknown environment variables are ignored", metadata: ["variables": "\(unknown)"])
        }
        if let port = ProcessInfo.processInfo.environment["TRIBUTARY_PORT"], ServiceLink.isOne("TRIBUTARY_PORT", port) {
            logger.warning(
                "TRIBUTARY_PORT is ignored: Kubernetes set it for a Service; enableServiceLinks: false leaves it out"
            )
        }
        let metrics = PrometheusMetrics()
        metrics.describe(StoringMetrics.descriptions)
        MetricsSystem.bootstrap(metrics)
        try ListeningCheck.run(settings.ingest)
        let client = DeliveryClient(
            allowsPrivate: settings.sending.allowsPrivate,
            userAgent: "Tributary/\(TributaryVersion.current)"
        )
        let clock = TrustedClock(logger: logger)
        metrics.reading(clock.metrics)
        let failures = FailureTable(logger: logger)
        let databases = try await ServedDatabase.all(
            of: settings,
            clock: clock,
            client: client,
            failures: failures,
            metrics: metrics,
            logger: logger
        )
        let door = Door(to: databases, logger: logger)
        let application = try makeIngestApplication(
            configuration: settings.ingest,
            authenticator: door.authenticator,
            readiness: door.readiness,
            apps: databases.map(\.apps),
            pages: door.pages,
            metrics: metrics,
            logger: logger,
            now: clock.now,
            onListening: { _, port in
                let note = DaemonNote(
                    process: getpid(),
                    address: settings.ingest.listeningAddress(port: port),
                    version: TributaryVersion.current
                )
                // Only `tributary doctor` reads it.
                for database in databases { try? note.write(beside: database.spool.path) }
            }
        )
        defer { for database in databases { DaemonNote.remove(beside: database.spool.path) } }
        let pools = databases.flatMap(\.pools.all)
        // Services stop in reverse order: no new requests, no more deliveries, then waiting events are committed.
        var configuration = ServiceGroupConfiguration(
            services: door.services + [
                .init(service: ClockService(clock: clock, pools: databases.map(\.pools.keys))),
                .init(service: application),
                .init(
                    service: ShutdownDeadline(patience: Self.hangingPatience, databases: databases.map(\.hanging))
                ),
            ] + databases.flatMap(\.keepers),
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = Self.gracePeriod
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch is CancellationError {
            // The grace period is over: senders were too slow. Answered events are stored.
        } catch {
            await client.shutdown()
            throw ListeningCheck.error(error, settings.ingest) ?? error
        }
        await client.shutdown()
        for pool in pools { await pool.close() }
        logger.notice("stopped")
    }
}
