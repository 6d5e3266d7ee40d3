package import Time
package import Postgres

/// What keeps events once more, encoded, where no statement reaches them. It is told of those that go.
package protocol PackedTimelines: Sendable {
    /// Before events of a person are deleted, and what says whom the person's devices and clicks stand for; in the same
    /// transaction.
    ///
    /// - Parameters:
    ///   - events: all that go.
    ///   - keys: the person's.
    ///   - staysPartly: whether any event of these keys stays.
    func remove(
        _ events: [PersonEvent],
        of keys: [PersonKey],
        staysPartly: Bool,
        in app: Int32,
        on connection: isolated PostgresConnection
    ) throws

    /// Before events of a time before another are deleted, in however many transactions.
    ///
    /// - Returns: whether there are any. Where there are none, those that come in later are not to be deleted row by row: nobody
    ///   who packs would know.
    func prepareRemoval(
        before time: Timestamp,
        in app: Int32,
        on connection: isolated PostgresConnection
    ) throws -> Bool

    /// After they have been. Takes out also what was stored and packed since; behind it, in the same transaction, that is to be
    /// deleted too.
    func remove(before time: Timestamp, in app: Int32, on connection: isolated PostgresConnection) throws

    /// Before links of people are removed of whom no event is packed; in the same transaction.
    func prepareLinkRemoval(in app: Int32, on connection: isolated PostgresConnection) throws

    /// After events were deleted that nobody had prepared for: the app is packed anew, and reports read its events until then.
    func forget(_ app: Int32, on connection: isolated PostgresConnection) throws
}
