import Events

/// What a sink did with a batch.
package struct StoreReceipt: Equatable, Sendable {
    /// Where the batch is now.
    package enum Place: String, Sendable {
        /// Committed in PostgreSQL: answered with 200.
        case database
        /// On disk, fsynced, to be delivered later: answered with 202.
        case spool
    }

    /// Events of the batch that had been stored before, or that the batch holds twice; of a batch in the spool only the ids
    /// that it repeats, as no more is known yet.
    package var duplicates: Int
    package var stored: Place
    /// Positions in ``Submission/events`` of those that the store itself refused and kept as dead letters.
    package var refused: [Int]

    package init(duplicates: Int, stored: Place, refused: [Int] = []) {
        self.duplicates = duplicates
        self.stored = stored
        self.refused = refused
    }
}
