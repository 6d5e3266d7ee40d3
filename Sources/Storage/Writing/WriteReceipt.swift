/// What became of a submission whose transaction is committed.
package struct WriteReceipt: Equatable, Sendable {
    /// Events that were stored before, in this submission or another.
    package var duplicates = 0
    /// Events that were dropped because their person or app has been erased since they were received.
    package var erased = 0
    /// Positions in `events` of the events that PostgreSQL itself refused. They are kept as dead letters.
    package var refused: [Int] = []
}
