/// Whether one migration has been applied to a database.
package struct MigrationStatus: Equatable, Sendable {
    /// Whether a migration has been applied.
    package enum State: String, Sendable {
        case applied
        case pending
        /// Applied with another text than this program has.
        case changed
        /// Applied by another version of the program.
        case unknown
    }

    package var name: String
    package var state: State
    /// Microseconds since 1970, UTC.
    package var appliedAt: Int64?
}
