import Events

/// What an ``EventSink`` did with a batch.
package struct StoreReceipt: Equatable, Sendable {
    /// Where the batch is now.
    package enum Place: String, Sendable {
        /// Committed in PostgreSQL: answered with 200.
        case database
        /// On disk, fsynced, to be delivered later: answered with 202.
        case spool
    }

    /// Events of the batch that were stored before, or that the batch contains twice. For a batch in the spool, only
    /// ids that it repeats are known.
    package var duplicates: Int
    package var stored: Place
    /// Positions in ``Submission/events`` of the events that the database refused. They are kept as dead letters.
    package var refused: [Int]

    package init(duplicates: Int, stored: Place, refused: [Int] = []) {
        self.duplicates = duplicates
        self.stored = stored
        self.refused = refused
    }
}
