import Delivery
import Postgres
import Storage
import Time
import Webhooks

extension FigureTesting {
    /// An app and a webhook that tells its conversions.
    static func withWebhook(
        model: String = "last",
        _ body: @Sendable (FigureTesting, App, Webhook) async throws -> Void
    ) async throws {
        try await with { testing in
            let app = try await testing.makeApp("shop")
            let webhook = try await WebhookStore(pool: testing.pool).add(
                to: try Destination("https://example.com/", allowsPrivate: false),
                parameters: [("event", "conversion"), ("model", model), ("lookback", "90d")],
                settle: .days(60),
                of: app
            )
            try await body(testing, app, webhook)
        }
    }

    @discardableResult
    func pass(
        _ webhook: Webhook,
        of app: App,
        by finder: WebhookFinder = WebhookFinder(),
        at now: Timestamp = RandomStream.monday
    ) async throws -> WebhookFinder.Pass {
        let current = try await WebhookStore(pool: pool).webhook(webhook.id).webhook
        return try await pool.withConnection { try finder.pass(current, of: app, now: now, on: $0) }
    }
}
