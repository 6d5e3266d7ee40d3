import Foundation
import Storage

/// The statement that scans the timelines of those alone who may have changed since a cursor.
enum ChangedTimelines {
    /// `sql/exports/changed_timelines.sql` with what it stands behind. Its settings are those of `TimelineSettings` and
    /// `tributary.since`.
    static var statement: String {
        """
        with changed as materialized (
        \(StoredSQL.asOneStatement(StoredSQL.changedPeople))
        ),
        timeline as (
        \(unorderedTimelines)
        )
        \(StoredSQL.asOneStatement(StoredSQL.changedTimelines))
        """
    }

    /// Everybody's timelines would be sorted before most are thrown away.
    private static var unorderedTimelines: String {
        var statement = TimelineSettings.statement
        if let order = statement.range(of: "\\norder by ", options: .backwards) {
            statement.removeSubrange(order.lowerBound...)
        }
        return statement
    }
}
