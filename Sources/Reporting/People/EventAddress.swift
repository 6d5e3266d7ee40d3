import Events
import Postgres
import Storage
import Time
import Timelines

/// Where an event is found.
struct EventAddress {
    var event: EventID
    var time: Timestamp

    /// The people of some events.
    ///
    /// - Returns: for each event its person's key as in timelines; nil for an anonymous event and for one that is gone.
    static func people(
        of events: [EventAddress],
        app: App,
        on connection: isolated PostgresConnection
    ) throws -> [String?] {
        guard !events.isEmpty else { return [] }
        let rows = try connection.query(
            ReportSQL.selectListPeople,
            [
                .int(Int64(app.number)), .textArray(events.map(\.time.rfc3339)),
                .textArray(events.map(\.event.description)),
            ]
        )
        var people = [String?](repeating: nil, count: events.count)
        for row in rows { people[try row.int(0) - 1] = try row.optionalText(1) }
        return people
    }
}

extension EventAddress {
    /// The event of a row that names one; nil for other rows.
    init?(event: ReportCell, time: ReportCell) {
        guard let event = event.plainText.flatMap(EventID.init),
            let time = time.plainText.flatMap({ Timestamp(rfc3339: $0) })
        else { return nil }
        self.init(event: event, time: time)
    }
}
