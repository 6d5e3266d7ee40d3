package import Postgres

/// Why a submission was not stored.
package enum EventWriterError: Error, CustomStringConvertible {
    /// Too much is waiting already. Try again in a moment.
    case overloaded
    /// The database is away, read-only or full.
    case unavailable(PostgresError)
    /// The commit has not come to an end in time. What was submitted may be stored all the same.
    case tookTooLong
    /// The writer has been closed.
    case closed
    case failed(String)

    package var description: String {
        switch self {
        case .overloaded: "too much is waiting to be stored"
        case .unavailable(let error): "\(error)"
        case .tookTooLong: "a commit took too long"
        case .closed: "the writer has been closed"
        case .failed(let reason): reason
        }
    }
}
