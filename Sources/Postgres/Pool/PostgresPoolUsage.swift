/// What the connections of a pool are doing.
package struct PostgresPoolUsage: Equatable, Sendable {
    /// Lent connections, those among them that are being made.
    package var inUse: Int
    /// Open connections that nobody uses.
    package var idle: Int
    /// Uses that wait for a connection.
    package var waiting: Int
}
