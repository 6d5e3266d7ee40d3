package import Postgres

/// A database of one test's own.
package struct TestDatabase: Sendable {
    package let address: PostgresAddress
    /// Closed when the test's closure ends.
    package let pool: PostgresPool
}
