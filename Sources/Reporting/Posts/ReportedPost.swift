import Events
import Postgres
import Storage
import Time

/// What a report says of a single post.
struct ReportedPost {
    var postID: String?
    var refs: [String]
    var composer: String?
    var link: String?

    /// The cells of `BreakdownKey.post`'s columns; that of the time is empty.
    var cells: [ReportCell] {
        [
            (postID ?? link).map { .text($0) } ?? .empty, .empty,
            refs.isEmpty ? .empty : .text(refs.joined(separator: ",")),
            composer.map { .text($0) } ?? .empty, link.map { .text($0) } ?? .empty,
        ]
    }

    static func read(
        _ posts: [EventAddress],
        of app: App,
        on connection: isolated PostgresConnection
    ) throws -> [EventID: ReportedPost] {
        let times = posts.map(\.time)
        guard let first = times.min(), let last = times.max() else { return [:] }
        let rows = try connection.query(
            ReportSQL.selectReportedPosts,
            [
                .int(Int64(app.number)), .textArray(times.map(\.rfc3339)),
                .textArray(posts.map(\.event.description)),
                .timestamp(microseconds: first.microseconds), .timestamp(microseconds: last.microseconds),
            ]
        )
        var reported: [EventID: ReportedPost] = [:]
        for row in rows {
            let id = try row.uuid(0)
            reported[EventID(high: id.high, low: id.low)] = ReportedPost(
                postID: try row.optionalText(1),
                refs: try row.optionalTextArray(2) ?? [],
                composer: try row.optionalText(3),
                link: try row.optionalText(4)
            )
        }
        return reported
    }
}
