import JSONReading
package import Postgres
package import Storage
package import Time

/// How far the events of an app have arrived: reports say it beside their figures.
package struct Freshness: Equatable, Sendable {
    /// When the last of the app's newest events was received; nil if there is none.
    package let receivedAt: Timestamp?
    /// How many events happened yesterday, in the report's time zone. Without those from before the app was made.
    let yesterday: Int64
    /// How many of these came more than an hour late.
    let late: Int64

    /// - Parameter zone: the time zone whose yesterday is meant.
    package static func read(
        of app: App,
        zone: ReportTimeZone,
        now: Timestamp,
        on connection: isolated PostgresConnection
    ) throws -> Freshness {
        let today = zone.day(of: now)
        let rows = try connection.query(
            ReportSQL.selectFreshness,
            [
                .int(Int64(app.number)),
                .timestamp(microseconds: zone.start(of: CivilDate(number: today.number - 1)).microseconds),
                .timestamp(microseconds: zone.start(of: today).microseconds),
            ]
        )
        guard let row = rows.first else { return Freshness(receivedAt: nil, yesterday: 0, late: 0) }
        return Freshness(
            receivedAt: try row.optionalTimestamp(0).map { Timestamp(microseconds: $0) },
            yesterday: try row.int64(1),
            late: try row.int64(2)
        )
    }

    /// When the first event of an app happened; nil if it has none.
    static func firstEvent(of app: App, on connection: isolated PostgresConnection) throws -> Timestamp? {
        let rows = try connection.query(ReportSQL.selectFirstEvent, [.int(Int64(app.number))])
        return try rows.first?.optionalTimestamp(0).map { Timestamp(microseconds: $0) }
    }

    /// `last event received 2026-11-27 14:03 (UTC); 3.1 % of yesterday's events came more than an hour late`
    package func text(in zone: ReportTimeZone) -> String {
        guard let receivedAt else { return "no event has been received yet" }
        let last = "last event received \(ReportInstant.localText(of: receivedAt, in: zone)) (\(zone.name))"
        // A new app has none, and that says nothing.
        guard yesterday > 0 else { return last }
        let percent = roundedQuotient(Int128(late) * 1_000, by: Int128(yesterday))
        let share = ReportCell.decimalText(percent, decimals: 1, trimmed: true)
        return "\(last); \(share) % of yesterday's events came more than an hour late"
    }

    /// `{"last_event_received_at": "2026-11-27T14:03:00Z", "late_share_yesterday": 0.031250}`.
    var json: String {
        let time = receivedAt.map { JSONWriter.quoted($0.rfc3339) } ?? "null"
        let share = ReportCell.fraction(late, of: yesterday).plainText ?? "null"
        return "{\"last_event_received_at\": \(time), \"late_share_yesterday\": \(share)}"
    }
}
