import Cryptography
package import Delivery
import InboundLinks
package import Postgres
import Reporting
package import Storage
import Time

/// The webhooks of apps, and the words that wait.
package struct WebhookStore: Sendable {
    /// How many an app may have.
    package static let limit = 20

    private let pool: PostgresPool

    package init(pool: PostgresPool) { self.pool = pool }

    /// Adds a webhook. It tells what is stored from now on.
    ///
    /// - Parameter parameters: those of a ``CreditQuestion``.
    /// - Throws: ``WebhookError/tooMany``.
    package func add(
        to destination: Destination,
        parameters: [(name: String, value: String)],
        settle: Duration,
        of app: App
    ) async throws -> Webhook {
        let id = Webhook.newID()
        return try await pool.withTransaction { connection in
            let number = PostgresValue.int(Int64(app.number))
            let count = try connection.query("select count(*) from webhook where app_number = $1", [number])[0].int64(0)
            guard count < Self.limit else { throw WebhookError.tooMany }
            try connection.execute(
                """
                insert into webhook (
                    webhook_id, app_number, url, parameter_names, parameter_values, settle, secret, position
                )
                values ($1, $2, $3, $4, $5, $6 * interval '1 second', $7, $8)
                """,
                [
                    .text(id), number, .text(destination.url), .textArray(parameters.map(\.name)),
                    .textArray(parameters.map(\.value)), .int(settle.components.seconds),
                    .text(SigningSecret.generate()),
                    .int(try TransactionHorizon.read(of: app.number, on: connection)),
                ]
            )
            let webhook = try Webhook(connection.query(WebhookSQL.selectWebhooks, [.text(id), .null])[0])
            try connection.log(.addWebhook, id, in: app.number, to: webhook.changeFields)
            return webhook
        }
    }

    /// - Parameter app: nil: those of every app.
    package func list(of app: App? = nil) async throws -> [Webhook] {
        try await pool.withConnection { connection in
            try connection.query(WebhookSQL.selectWebhooks, [.null, app.map { .int(Int64($0.number)) } ?? .null])
                .map(Webhook.init)
        }
    }

    /// - Throws: ``WebhookError/unknown``.
    package func webhook(_ id: String) async throws -> (webhook: Webhook, app: App) {
        let found = try await pool.withConnection { connection in
            try connection.query(WebhookSQL.selectWebhooks, [.text(id), .null]).map(Webhook.init).first
        }
        guard let found else { throw WebhookError.unknown(id) }
        return (found, try await AppStore(pool: pool).app(id: found.appID))
    }

    /// Stops what is told and sent. What happens meanwhile is told when the webhook is resumed.
    package func pause(_ id: String, because reason: String) async throws {
        let fields = [("reason", InspectionValue.string(reason))]
        try await change(id, "pause_reason = $2", [.text(reason)], as: .pauseWebhook, fields)
    }

    package func resume(_ id: String) async throws {
        try await change(id, "pause_reason = null", [], as: .resumeWebhook)
    }

    /// Gives a webhook a new secret. The former one signs too, for a day.
    package func rotateSecret(of id: String) async throws -> Webhook {
        try await change(
            id,
            "previous_secret = secret, previous_until = now() + $3 * interval '1 second', secret = $2",
            [.text(SigningSecret.generate()), .int(SigningSecret.overlap.components.seconds)],
            as: .rotateWebhookSecret
        )
        return try await webhook(id).webhook
    }

    private func change(
        _ id: String,
        _ assignments: String,
        _ values: [PostgresValue],
        as kind: ChangeKind,
        _ fields: ChangeLog.Fields = []
    ) async throws {
        try await pool.withTransaction { connection in
            let changed = try connection.query(
                "update webhook set \(assignments) where webhook_id = $1 returning app_number",
                [.text(id)] + values
            )
            guard let row = changed.first else { throw WebhookError.unknown(id) }
            try connection.log(kind, id, in: Int32(try row.int(0)), to: fields)
        }
    }

    package func delete(_ id: String) async throws {
        let (webhook, app) = try await webhook(id)
        try await pool.withTransaction { connection in
            // First, because a pass locks the row at its end.
            let count = try connection.execute("delete from webhook where webhook_id = $1", [.text(id)])
            guard count > 0 else { throw WebhookError.unknown(id) }
            try connection.log(.deleteWebhook, id, in: app.number, from: webhook.changeFields)
            for table in ["webhook_delivery", "webhook_event", "webhook_person_key"] {
                try connection.execute(
                    "delete from \(table) where app_number = $1 and webhook_id = $2",
                    [.int(Int64(app.number)), .text(id)]
                )
            }
        }
    }

    /// The words that wait or were given up, the earliest first.
    ///
    /// - Parameter failed: only those that an attempt failed for.
    package func waiting(of id: String, failed: Bool, limit: Int) async throws -> [WaitingWord] {
        let (_, app) = try await webhook(id)
        return try await pool.withConnection { connection in
            try connection.query(
                WebhookSQL.selectDeliveries,
                [.int(Int64(app.number)), .text(id), .bool(failed), .int(Int64(limit))]
            ).map { row in
                let died = try row.optionalTimestamp(7).map { Timestamp(microseconds: $0) }
                return WaitingWord(
                    number: try row.int64(0),
                    eventID: try row.text(1),
                    type: try row.text(2),
                    createdAt: Timestamp(microseconds: try row.timestamp(3)),
                    attempts: try row.int(4),
                    nextAttemptAt: died == nil ? Timestamp(microseconds: try row.timestamp(5)) : nil,
                    lastError: try row.optionalText(6),
                    diedAt: died
                )
            }
        }
    }

    /// Sends words that failed again, from now on as if for the first time.
    ///
    /// - Parameter number: nil: all of them.
    /// - Returns: how many.
    package func retry(_ id: String, number: Int64?) async throws -> Int {
        let (_, app) = try await webhook(id)
        return try await pool.withConnection { connection in
            try connection.execute(
                WebhookSQL.retryWords,
                [.int(Int64(app.number)), .text(id), number.map { .int($0) } ?? .null]
            )
        }
    }
}

/// Why a webhook cannot be worked on. The texts are for users.
package enum WebhookError: Error, CustomStringConvertible {
    case unknown(String)
    case tooMany

    package var description: String {
        switch self {
        case .unknown(let id): "there is no webhook '\(id)'; 'tributary webhook list' lists them"
        case .tooMany: "the app has \(WebhookStore.limit) webhooks; delete one first"
        }
    }
}
