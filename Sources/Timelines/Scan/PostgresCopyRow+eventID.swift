import Events
import Postgres

extension PostgresCopyRow {
    mutating func nextEventID() throws(PostgresError) -> EventID {
        let id = try nextUUID()
        return EventID(high: id.high, low: id.low)
    }

    mutating func nextOptionalEventID() throws(PostgresError) -> EventID? {
        try nextOptionalUUID().map { EventID(high: $0.high, low: $0.low) }
    }
}
