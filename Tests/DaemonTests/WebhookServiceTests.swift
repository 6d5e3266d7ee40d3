import Delivery
import DeliveryTesting
import Ingest
import Logging
import Postgres
import PostgresTesting
import Storage
import Synchronization
import Testing
import Time
import Webhooks

@testable import tributaryd

@Suite("The service of webhooks")
struct WebhookServiceTests {
    private struct Trial: Sendable {
        let pool: PostgresPool
        let service: WebhookService
        let receiver: ScriptedReceiver
        let metrics: PrometheusMetrics
        let log: CollectedLog

        func gauge(_ name: String) -> Double? {
            metrics.exposition().split(separator: "\n").first { $0.hasPrefix(name + " ") }
                .flatMap { Double($0.split(separator: " ")[1]) }
        }
    }

    /// A webhook with a word that waits.
    private static func with(
        answering answer: @escaping @Sendable (ScriptedReceiver.Request) -> ScriptedReceiver.Answer,
        _ body: @Sendable (Trial) async throws -> Void
    ) async throws {
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
            try await ScriptedReceiver.run(answering: answer) { receiver in
                let pool = database.pool
                _ = try await AppStore(pool: pool).create(AppProfile(id: "shop", name: "Shop"))
                let app = try await AppStore(pool: pool).app(id: "shop")
                let webhook = try await WebhookStore(pool: pool).add(
                    to: try Destination(receiver.url, allowsPrivate: true),
                    parameters: [("event", "conversion")],
                    settle: .zero,
                    of: app
                )
                _ = try await pool.withConnection { connection in
                    try connection.execute(
                        """
                        insert into webhook_delivery (
                            app_number, webhook_id, number, message_id, event_id, occurred_at, body, mentioned
                        )
                        values ($1, $2, 1, 'msg_1', gen_random_uuid(), now(), '{"type":"credit.made"}', '{}')
                        """,
                        [.int(Int64(app.number)), .text(webhook.id)]
                    )
                }
                let log = CollectedLog()
                let logger = Logger(label: "test") { _ in log }
                let schema = DatabaseSchema(pool: pool, logger: logger)
                _ = try await schema.ensure()
                let finding = PostgresPool(address: database.address, size: 1, applicationName: "test")
                let client = DeliveryClient(allowsPrivate: true, userAgent: "test")
                let metrics = PrometheusMetrics()
                let service = WebhookService(
                    finding: finding,
                    workers: ClusterWorkers(pool: pool),
                    sending: pool,
                    client: client,
                    allowsPrivate: true,
                    schema: schema,
                    metrics: WebhookMetrics(metrics),
                    logger: logger
                )
                let trial = Trial(pool: pool, service: service, receiver: receiver, metrics: metrics, log: log)
                do {
                    try await body(trial)
                } catch {
                    await client.shutdown()
                    await finding.close()
                    throw error
                }
                await client.shutdown()
                await finding.close()
            }
        }
    }

    @Test func tellsNobodyOfACopy() async throws {
        try await Self.with(answering: { _ in .status(204) }) { trial in
            let shared = WebhookService.Shared(trial.service.logger)
            _ = try await trial.service.round(shared)
            #expect(shared.state.withLock { $0.active.count } == 1)
            #expect(trial.gauge("tributary_outgoing_silent") == 0)
            _ = try await trial.pool.withConnection { try $0.execute("update outgoing set home = 'elsewhere'") }
            for _ in 0..<2 { _ = try await trial.service.round(shared) }
            #expect(shared.state.withLock { $0.active.isEmpty })
            #expect(trial.gauge("tributary_outgoing_silent") == 1)
            let lines = trial.log.lines.filter { $0.contains("webhooks and schedules send nothing") }
            #expect(lines.count == 1 && lines[0].contains("'tributary outgoing resume' lets it send"))
        }
    }

    /// It may say secrets, or what it was sent.
    @Test func logsNothingThatAReceiverSays() async throws {
        try await Self.with(answering: { _ in .status(500, body: "Cannot POST /T0/SECRET") }) { trial in
            let shared = WebhookService.Shared(trial.service.logger)
            _ = try await trial.service.round(shared)
            let active = try #require(shared.state.withLock { $0.active.first })
            _ = try await trial.pool.withConnection { try $0.execute("update webhook_delivery set attempts = 17") }
            let sender = WebhookSender(pool: trial.pool, client: trial.service.client, allowsPrivate: true)
            await trial.service.send(active, sender, shared)
            let told = try await WebhookStore(pool: trial.pool).waiting(of: active.webhook.id, failed: true, limit: 1)
            #expect(told.first?.lastError == "500: Cannot POST /T0/SECRET")
            #expect(trial.log.lines.contains { $0.contains("words of a webhook were given up") })
            #expect(!trial.log.lines.contains { $0.contains("SECRET") })
        }
    }

    /// Before the first look ends.
    @Test func lagsFromItsFirstRound() {
        let metrics = PrometheusMetrics()
        let webhooks = WebhookMetrics(metrics)
        webhooks.keep(nil, of: ["wh_1"], since: Timestamp.now.advanced(by: .seconds(-100)))
        #expect(metrics.exposition().contains(/tributary_webhook_lag_seconds 1\d\d/))
    }
}
