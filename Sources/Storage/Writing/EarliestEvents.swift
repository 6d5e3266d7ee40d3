import Events
import Time
import Postgres

/// The earliest event of a group that links each device, or each click.
struct EarliestEvents {
    /// The parameters of `insert_links.sql` that come from the key and the event.
    struct Columns {
        var apps: PostgresArray
        var keys: PostgresArray
        var times: PostgresArray
        var ids: PostgresArray
    }

    private struct Earliest {
        var precedence: Int32
        var time: Timestamp
        var id: EventID
        var place: Int
    }

    private var earliest: [AppText: Earliest] = [:]

    var isEmpty: Bool { earliest.isEmpty }

    /// - Parameters:
    ///   - precedence: as in ``PersonClaim``.
    ///   - place: the event's place in its group.
    mutating func add(_ key: AppText, precedence: Int32 = 0, at time: Timestamp, _ id: EventID, place: Int) {
        let new = Earliest(precedence: precedence, time: time, id: id, place: place)
        if let known = earliest[key],
            (known.precedence, known.time, known.id) <= (precedence, time, id)
        {
            return
        }
        earliest[key] = new
    }

    /// The columns, sorted by key.
    ///
    /// - Parameter body: called with the place of each event, in the same order, to make the columns that are missing
    ///   here.
    func columns(_ body: (Int) -> Void) -> Columns {
        var columns = Columns(
            apps: PostgresArray(.int32, capacity: earliest.count),
            keys: PostgresArray(.text, capacity: earliest.count),
            times: PostgresArray(.timestamp, capacity: earliest.count),
            ids: PostgresArray(.uuid, capacity: earliest.count)
        )
        for (key, event) in earliest.sorted(by: { $0.key < $1.key }) {
            columns.apps.append(int32: key.app)
            columns.keys.append(text: key.text)
            columns.times.append(timestamp: event.time.microseconds)
            columns.ids.append(uuidHigh: event.id.high, low: event.id.low)
            body(event.place)
        }
        return columns
    }
}
