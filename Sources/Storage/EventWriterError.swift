package import Postgres

/// Why a submission was not stored. Nothing of it was.
package enum EventWriterError: Error {
    /// Too much is waiting already. Try again in a moment.
    case overloaded
    /// The database is away, read-only or full.
    case unavailable(PostgresError)
    /// The writer has been closed.
    case closed
    case failed(String)
}
