package import Events
package import Time
import Postgres

/// Which dead letters are meant. Absent: any.
package struct RejectedEventFilter: Equatable, Sendable {
    package var appNumber: Int32?
    package var codes: [String]?
    /// The time of receipt, from inclusive, to exclusive.
    package var from: Timestamp?
    package var to: Timestamp?
    package var ids: [EventID]?

    package init() {}

    /// $1 to $5 of the statements on `rejected_event`.
    var parameters: [PostgresValue] {
        [
            appNumber.map { .int(Int64($0)) } ?? .null,
            codes.map { .textArray($0) } ?? .null,
            from.map { .timestamp(microseconds: $0.microseconds) } ?? .null,
            to.map { .timestamp(microseconds: $0.microseconds) } ?? .null,
            ids.map { .textArray($0.map(\.description)) } ?? .null,
        ]
    }
}
