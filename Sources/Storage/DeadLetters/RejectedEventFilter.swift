package import Events
package import Time
import Postgres

/// Selects dead letters. A nil condition selects all.
package struct RejectedEventFilter: Equatable, Sendable {
    package var appNumber: Int32?
    package var codes: [String]?
    /// The start of the time of receipt, inclusive.
    package var from: Timestamp?
    /// The end of the time of receipt, exclusive.
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
