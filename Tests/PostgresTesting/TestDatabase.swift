package import Postgres

/// The database of one test.
package struct TestDatabase: Sendable {
    package let address: PostgresAddress
    /// Closed when the test's closure ends.
    package let pool: PostgresPool
}
