package import Postgres
package import Time

/// How far a standby has replayed its primary.
package struct StandbyPosition: Hashable, Sendable {
    /// The position in the write-ahead log, such as `0/3000060`.
    package let position: String
    /// When the last replayed transaction was committed on the primary. Nil if the standby has replayed none since it
    /// started.
    package let committedAt: Timestamp?

    package init(position: String, committedAt: Timestamp?) {
        self.position = position
        self.committedAt = committedAt
    }

    /// Read before a snapshot is taken: the snapshot contains all that is replayed up to this position.
    ///
    /// - Returns: nil if the server is no standby.
    package static func read(_ connection: isolated PostgresConnection) throws -> StandbyPosition? {
        let row = try connection.query(
            """
            select pg_last_wal_replay_lsn()::text, pg_last_xact_replay_timestamp()
            where pg_is_in_recovery()
            """
        ).first
        return try row.map { row in
            StandbyPosition(
                position: try row.optionalText(0) ?? "0/0",
                committedAt: try row.optionalTimestamp(1).map { Timestamp(microseconds: $0) }
            )
        }
    }

    /// `as of 2026-11-25T22:14:03Z (0/3000060), replayed by a standby`.
    package var notice: String {
        let place = committedAt.map { "\($0.rfc3339) (\(position))" } ?? position
        return "as of \(place), replayed by a standby"
    }
}
