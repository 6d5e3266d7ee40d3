import ArgumentParser
import EmbeddedPostgres
import Foundation
import Ingest
import Logging
import Postgres
import Reporting
import ServiceLifecycle
import Settings
import Storage
import UnixSignals

/// The ingest daemon: configuration, then services, then run.
@main
struct TributaryDaemon: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tributaryd",
        abstract: "Take events over HTTP and store them in PostgreSQL, until SIGTERM or SIGINT.",
        discussion: """
            Migrates the database first. Without DATABASE_URL or --database, a private PostgreSQL cluster under \
            .tributary (TRIBUTARY_HOME) is made and started.

            Settings come from flags, over the environment (TRIBUTARY_HOST, TRIBUTARY_PORT, …), over the file \
            tributary.yaml; the README lists them all.
            """,
        version: "0.1.0"
    )

    @Option(help: "The address to listen on (default 127.0.0.1).")
    var host: String?

    @Option(help: "The port to listen on (default 8080); 0 picks a free one, which the log tells.")
    var port: Int?

    @Option(help: ArgumentHelp("The database; default DATABASE_URL, else a private cluster.", valueName: "url"))
    var database: String?

    @Option(
        help: ArgumentHelp("A YAML file of settings; default tributary.yaml, where there is one.", valueName: "file")
    )
    var config: String?

    static func main() async {
        do {
            var command = try parse()
            try await command.run()
        } catch {
            DaemonFailure.exit(because: error)
        }
    }

    mutating func run() async throws {
        let settings = try await DaemonSettings(
            host: host,
            port: port,
            database: database,
            reader: SettingsReader(file: config)
        )
        let logger = settings.makeLogger()
        let address = try await settings.database.address(logger: logger)

        let writing = PostgresPool(address: address, size: 1, applicationName: "tributaryd writer", logger: logger)
        let reading = PostgresPool(address: address, size: 4, applicationName: "tributaryd", logger: logger)
        let schema = DatabaseSchema(pool: reading, logger: logger)
        do {
            try await schema.ensure()
        } catch let error as PostgresError where error.isUnavailable {
            logger.error("the database is away; events of known keys go to the spool", metadata: ["reason": "\(error)"])
        }

        let spool = try Spool(folder: settings.spoolFolder, byteLimit: settings.spoolBytes, logger: logger)
        let writer = EventWriter(pool: writing, logger: logger)
        let sink = SpoolingSink(
            writer: writer,
            spool: spool,
            patience: settings.ingest.limits.storeDeadline / 2,
            isPresent: schema.isMigrated,
            logger: logger
        )
        let application = makeIngestApplication(
            configuration: settings.ingest,
            sink: sink,
            authenticator: KeyRing(pool: reading, archive: spool),
            readiness: StorageReadiness(schema: schema, sink: sink, spool: spool),
            reports: ReportService(pool: reading),
            metrics: PrometheusMetrics(),
            logger: logger
        )
        let courier = SpoolCourier(spool: spool, sink: sink, writer: writer, schema: schema, logger: logger)
        // Shut down in reverse: no new requests, no more deliveries, then what waits is committed.
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: StoringService(writer: writer, spool: spool)), .init(service: courier),
                    .init(service: application),
                ],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
        )
        try await group.run()
        await writing.close()
        await reading.close()
        logger.notice("stopped")
    }
}
