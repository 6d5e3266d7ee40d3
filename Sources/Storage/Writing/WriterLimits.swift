/// How much may wait, and how much goes into a transaction. If too much waits, `store` throws
/// ``EventWriterError/overloaded`` immediately.
package struct WriterLimits: Sendable {
    /// Events that wait for a commit.
    package var waitingEvents = 50_000
    /// Events in one transaction. A submission is never split; a larger one gets a transaction of its own.
    package var groupedEvents = 10_000
    /// Transactions at the same time, each on a connection of its own: while one waits for the disk, another is
    /// prepared. With more than one, submissions that wait together may be committed in another order. On a
    /// cluster, as many for each worker.
    package var transactions = 1
    /// The waiting events that start a transaction while another one runs. Fewer wait for its end: a transaction
    /// costs the database about a millisecond and the disk another one, however few events it holds.
    package var concurrentCommitThreshold = 100
    /// For how long the events of a worker that has failed are refused, before one submission tries again; also the
    /// time between tries.
    package var workerPause: Duration = .seconds(5)

    package init() {}
}
