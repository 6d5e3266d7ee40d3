import Foundation
import Postgres
import Storage
import Timelines

/// The statement that scans only the timelines of people who may have changed since a cursor.
enum ChangedTimelines {
    /// `sql/exports/changed_timelines.sql`, preceded by the expressions that it needs.
    static func scan(_ settings: TimelineSettings, since cursor: ExportCursor) -> BoundStatement {
        let parameters = settings.parameters.merging(["since": String(cursor.transaction)]) { $1 }
        return BoundStatement(
            """
            with changed as materialized (
            \(BoundStatement(ReportSQL.changedPeople, parameters).text)
            ),
            timeline as (
            \(unordered(settings.scan.text))
            )
            \(ReportSQL.changedTimelines)
            """,
            parameters
        )
    }

    /// Removes the order: it would sort all people's timelines before most are dropped.
    private static func unordered(_ timelines: String) -> String {
        var statement = timelines
        if let order = statement.range(of: "\norder by ", options: .backwards) {
            statement.removeSubrange(order.lowerBound...)
        }
        return statement
    }
}
