import InboundLinks
import Postgres
import Storage

/// The parameters of `sql/exports`: settings of the transaction, because COPY takes no others.
struct ExportSettings {
    let values: [(name: String, value: String)]

    /// For `sql/exports/events.sql`.
    ///
    /// - Parameter horizon: of an incremental export; a whole one takes all that there is.
    init(events request: ExportRequest, horizon: Int64?) {
        values = [
            ("tributary.app_number", String(request.app.number)),
            ("tributary.from", request.range.from.rfc3339),
            ("tributary.to", request.range.to.rfc3339),
            ("tributary.since", String(request.since?.transaction ?? 0)),
            ("tributary.horizon", String(horizon ?? .max)),
            ("jit", "off"),
        ]
    }

    /// For `ChangedTimelines`, beside those of `TimelineSettings`.
    init(changesSince cursor: ExportCursor) {
        values = [("tributary.since", String(cursor.transaction))]
    }

    /// Sets them for the transaction at hand.
    func apply(on connection: isolated PostgresConnection) throws(PostgresError) {
        for (name, value) in values {
            try connection.execute("select set_config($1, $2, true)", [.text(name), .text(value)])
        }
    }
}
