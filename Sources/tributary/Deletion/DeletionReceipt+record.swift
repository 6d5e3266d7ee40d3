import Events
import InboundLinks
import Time
import Storage

extension DeletionReceipt {
    /// The receipt as it is printed: its times, and the deleted rows of each table.
    var record: Record {
        Record(
            [
                ("receipt_id", .string(id.description)), ("kind", .string(kind.rawValue)), ("app_id", .optional(appID)),
                ("started_at", .string(startedAt.rfc3339)), ("finished_at", .string(finishedAt.rfc3339)),
            ] + counts.values.map { ($0.name, .number(Int64($0.count))) }
        )
    }
}
