import Events
import InboundLinks
import Postgres

/// For each device, or click, of a group: the earliest event that says whom it stands for.
struct EarliestEvents {
    /// As `insert_links.sql` takes them.
    struct Columns {
        var apps: PostgresArray
        var keys: PostgresArray
        var users: PostgresArray
        /// Where there is no user.
        var devices: PostgresArray
        var times: PostgresArray
        var ids: PostgresArray
    }

    private let items: [EventStoring.Item]
    private var earliest: [AppText: Int] = [:]

    init(_ items: [EventStoring.Item]) {
        self.items = items
    }

    var isEmpty: Bool { earliest.isEmpty }

    /// - Parameter index: of the item whose event names `key`.
    mutating func add(_ index: Int, for key: String) {
        let key = AppText(app: items[index].app, text: key)
        guard let known = earliest[key] else {
            earliest[key] = index
            return
        }
        let (new, old) = (items[index].event, items[known].event)
        if (new.occurredAt, new.id) < (old.occurredAt, old.id) { earliest[key] = index }
    }

    /// Ordered by key.
    var columns: Columns {
        let count = earliest.count
        var columns = Columns(
            apps: PostgresArray(.int32, capacity: count),
            keys: PostgresArray(.text, capacity: count),
            users: PostgresArray(.text, capacity: count),
            devices: PostgresArray(.text, capacity: count),
            times: PostgresArray(.timestamp, capacity: count),
            ids: PostgresArray(.uuid, capacity: count)
        )
        for (key, index) in earliest.sorted(by: { $0.key < $1.key }) {
            let event = items[index].event
            columns.apps.append(int32: key.app)
            columns.keys.append(text: key.text)
            columns.users.append(text: event.userID)
            columns.devices.append(text: event.userID == nil ? event.deviceID : nil)
            columns.times.append(timestamp: event.occurredAt.microseconds)
            columns.ids.append(uuidHigh: event.id.high, low: event.id.low)
        }
        return columns
    }
}
