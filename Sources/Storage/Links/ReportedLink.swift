package import Postgres
package import Time

/// What a report says of a link beside its touches.
package struct ReportedLink: Equatable, Sendable {
    package var address: LinkAddress
    /// As the link has them now; empty for a link that is gone.
    package var refs: [String]
    package var previews: Int64
    /// Requests of bots that are no previewers.
    package var bots: Int64

    /// Reads some links of an app, and all that have hits, inside the caller's transaction.
    ///
    /// - Parameters:
    ///   - from: hits are counted by day, in UTC. A day counts if it begins from this instant on…
    ///   - to: … and before this one.
    ///   - limit: how many are read at most.
    package static func read(
        _ links: [LinkAddress],
        of app: App,
        from: Timestamp,
        to: Timestamp,
        limit: Int,
        on connection: isolated PostgresConnection
    ) throws -> [ReportedLink] {
        try connection.query(
            StoredSQL.selectLinkHits,
            [
                .int(Int64(app.number)), .int(day(from)), .int(day(to) - 1), .textArray(links.map(\.host)),
                .textArray(links.map(\.slug)), .int(Int64(limit)),
            ]
        ).map { row in
            ReportedLink(
                address: LinkAddress(host: try row.text(0), slug: try row.text(1)),
                refs: try row.optionalTextArray(2) ?? [],
                previews: try row.int64(3),
                bots: try row.int64(4)
            )
        }
    }

    /// The first day that begins at or after an instant, in days since 1970-01-01, UTC.
    private static func day(_ instant: Timestamp) -> Int64 {
        let length: Int64 = 86_400_000_000
        let (days, rest) = instant.microseconds.quotientAndRemainder(dividingBy: length)
        return rest > 0 ? days + 1 : days
    }
}
