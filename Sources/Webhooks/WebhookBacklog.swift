package import Postgres
package import Storage

/// How much a webhook has still to deliver.
package struct WebhookBacklog: Equatable, Sendable {
    package var waiting = 0
    package var givenUp = 0
    /// How long the oldest waiting word has waited, in seconds.
    package var age = 0.0

    package init() {}

    package init(of webhook: Webhook, app: App, on connection: isolated PostgresConnection) throws {
        let row = try connection.query(WebhookSQL.countWords, [.int(Int64(app.number)), .text(webhook.id)])[0]
        waiting = try row.int(0)
        givenUp = try row.int(1)
        age = try row.optionalDouble(2) ?? 0
    }

    package static func += (sum: inout WebhookBacklog, other: WebhookBacklog) {
        sum.waiting += other.waiting
        sum.givenUp += other.givenUp
        sum.age = max(sum.age, other.age)
    }
}
