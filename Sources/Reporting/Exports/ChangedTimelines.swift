import Foundation
import Postgres
import Storage

/// The statement that scans the timelines of those alone who may have changed since a cursor.
enum ChangedTimelines {
    /// `sql/exports/changed_timelines.sql` with what it stands behind.
    static func scan(_ settings: TimelineSettings, since cursor: ExportCursor) -> BoundStatement {
        BoundStatement(
            """
            with changed as materialized (
            \(StoredSQL.asOneStatement(StoredSQL.changedPeople))
            ),
            timeline as (
            \(unorderedTimelines)
            )
            \(StoredSQL.changedTimelines)
            """,
            settings.parameters.merging(["since": String(cursor.transaction)]) { $1 }
        )
    }

    /// Everybody's timelines would be sorted before most are thrown away.
    private static var unorderedTimelines: String {
        var statement = StoredSQL.asOneStatement(StoredSQL.timelines)
        if let order = statement.range(of: "\norder by ", options: .backwards) {
            statement.removeSubrange(order.lowerBound...)
        }
        return statement
    }
}
