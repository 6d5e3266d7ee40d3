package import Events
package import Redirects
package import Time

/// Keeps what visitors of links do. The HTTP layer does not know how.
package protocol ClickSink: Sendable {
    /// Stores a click.
    ///
    /// - Parameters:
    ///   - isSought: whether the visitor gets something that is looked up in the database. Then they wait longer for
    ///     it.
    ///   - sendOn: called exactly once, on any thread, soon: the visitor waits no longer. That is after `end`, unless
    ///     storing takes too long.
    ///   - end: called exactly once, on any thread, when it is known what has become of the click. It gets the place
    ///     where the click survives a crash; nil if it is lost.
    func store(
        _ click: Submission,
        isSought: Bool,
        sendOn: @escaping @Sendable () -> Void,
        end: @escaping @Sendable (StoreReceipt.Place?) -> Void
    )

    /// Notes a click that cannot be stored.
    func lose(because reason: String)

    /// Counts a request that is no click: only its number is kept.
    ///
    /// - Parameters:
    ///   - host: of the link, as the link has it.
    ///   - slug: of the link, as the link has it.
    func count(_ hit: Hit, ofHost host: String, slug: String, at time: Timestamp)
}
