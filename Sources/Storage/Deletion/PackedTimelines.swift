package import Time
package import Postgres

/// The packed timelines hold encoded copies of events, which no SQL statement can delete. Deletion and retention
/// therefore tell them which events go.
package protocol PackedTimelines: Sendable {
    /// Removes events of a person. Called in the transaction that deletes the events and the person's links, before it
    /// deletes them.
    ///
    /// - Parameters:
    ///   - events: all events that go.
    ///   - keys: the person's keys.
    ///   - staysPartly: whether any event of these keys stays.
    func remove(
        _ events: [PersonEvent],
        of keys: [PersonKey],
        staysPartly: Bool,
        in app: Int32,
        on connection: isolated PostgresConnection
    ) throws

    /// Prepares the removal of all events before a time. Called before the first of them is deleted.
    ///
    /// - Returns: whether the app has such events. If it has none, the caller must not delete such events row by row
    ///   when they arrive later: packing would not know of it.
    func prepareRemoval(
        before time: Timestamp,
        in app: Int32,
        on connection: isolated PostgresConnection
    ) throws -> Bool

    /// Removes all events before a time. Called after they have been deleted. It also removes such events that were
    /// stored and packed since; the caller deletes their rows afterwards, in the same transaction.
    func remove(before time: Timestamp, in app: Int32, on connection: isolated PostgresConnection) throws

    /// Called before links of people without packed events are removed, in the same transaction.
    func prepareLinkRemoval(in app: Int32, on connection: isolated PostgresConnection) throws

    /// Drops an app's segments. Called after events were deleted without ``prepareRemoval(before:in:on:)``. The app is
    /// then packed again from the beginning; until then, reports read the table of events.
    func forget(_ app: Int32, on connection: isolated PostgresConnection) throws
}
