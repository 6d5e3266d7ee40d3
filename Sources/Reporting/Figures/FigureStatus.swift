package import Time
package import Postgres
import Storage

/// How far an app's figures are behind its events.
package struct FigureStatus: Equatable, Sendable {
    package var appID: String
    /// Every event stored up to this time is in the daily figures. Before there are figures: when the app was created.
    package var countedThrough: Timestamp
    /// How many spans are stale.
    package var staleSpans: Int
    /// How many events have been stored since the last change scan.
    package var pendingEvents: Int

    /// The status of every app, ordered by id.
    package static func all(on connection: isolated PostgresConnection) throws -> [FigureStatus] {
        try connection.query(ReportSQL.selectFigureStatus)
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
