package import Time
package import Postgres
import Storage

/// How far behind its events an app's figures are.
package struct FigureStatus: Equatable, Sendable {
    package var appID: String
    /// Every event stored up to then is in the figures of days. Before there are any: when the app was made.
    package var countedThrough: Timestamp
    /// Spans that wait to be made again.
    package var staleSpans: Int
    /// Events that have been stored since the last look.
    package var pendingEvents: Int

    /// Of every app, by id.
    package static func all(on connection: isolated PostgresConnection) throws -> [FigureStatus] {
        try connection.query(StoredSQL.selectFigureStatus)
            .map { row in
                FigureStatus(
                    appID: try row.text(0),
                    countedThrough: Timestamp(microseconds: try row.timestamp(1)),
                    staleSpans: try row.int(2),
                    pendingEvents: try row.int(3)
                )
            }
    }
}
