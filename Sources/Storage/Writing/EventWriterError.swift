package import Postgres

/// Why a submission was not stored.
package enum EventWriterError: Error, CustomStringConvertible {
    /// Too much is waiting already. Try again in a moment.
    case overloaded
    /// The database is unavailable, read-only or full.
    case unavailable(PostgresError)
    /// A worker of a Citus cluster is unavailable, or the table of a month cannot be made because of a worker. Other
    /// events can be stored. Nil: it is not tried now, because it failed before.
    case partlyUnavailable(PostgresError?)
    /// The commit did not end in time. The events may be stored all the same.
    case tookTooLong
    /// The database was unavailable when it was asked last, and is not asked now.
    case away
    /// The writer has been closed.
    case closed
    case failed(String)

    /// Whether the database, or the part of it that stores the app, is unavailable.
    package var isUnavailable: Bool {
        switch self {
        case .unavailable, .partlyUnavailable, .away: true
        case .overloaded, .tookTooLong, .closed, .failed: false
        }
    }

    package var description: String {
        switch self {
        case .overloaded: "too many events wait to be stored; try again in a moment"
        case .unavailable(let error): "\(error)"
        case .partlyUnavailable(let error?): "\(error)"
        case .partlyUnavailable(nil): "a worker of the cluster is away, and is tried again in a moment"
        case .tookTooLong: "the commit did not end in time; the events may be stored all the same"
        case .away: "the database is unavailable"
        case .closed: "the event writer has been closed"
        case .failed(let reason): reason
        }
    }
}
