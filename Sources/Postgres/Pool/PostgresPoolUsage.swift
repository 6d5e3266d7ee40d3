/// The numbers of a pool's connections and waiting uses.
package struct PostgresPoolUsage: Equatable, Sendable {
    /// Lent connections, with those that are being made.
    package var inUse: Int
    /// Open connections that are not lent.
    package var idle: Int
    /// Uses that wait for a connection, without spare ones.
    package var waiting: Int
}
