import Foundation
import Postgres
import Storage
import Timelines

/// The statement that scans the timelines of those alone who may have changed since a cursor.
enum ChangedTimelines {
    /// `sql/exports/changed_timelines.sql` with what it stands behind.
    static func scan(_ settings: TimelineSettings, since cursor: ExportCursor) -> BoundStatement {
        let parameters = settings.parameters.merging(["since": String(cursor.transaction)]) { $1 }
        return BoundStatement(
            """
            with changed as materialized (
            \(BoundStatement(StoredSQL.changedPeople, parameters).text)
            ),
            timeline as (
            \(unordered(settings.scan.text))
            )
            \(StoredSQL.changedTimelines)
            """,
            parameters
        )
    }

    /// Everybody's timelines would be sorted before most are thrown away.
    private static func unordered(_ timelines: String) -> String {
        var statement = timelines
        if let order = statement.range(of: "\norder by ", options: .backwards) {
            statement.removeSubrange(order.lowerBound...)
        }
        return statement
    }
}
