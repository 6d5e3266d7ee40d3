import JSONReading
import Postgres
package import Time

/// By which rules of the app the rows of an export were read (docs/rules.md).
package struct ExportRules: Equatable, Sendable {
    /// The version of the app's rules; nil: it has never had any.
    package var version: Int?
    package var setAt: Timestamp?
    /// The version by which history was read again last; 0: that of an app without rules; nil: never.
    package var rereadVersion: Int?
    /// Nil: never, or it is being read again: rows may be of different rules.
    package var rereadAt: Timestamp?

    package init() {}

    static func read(app: Int32, on connection: isolated PostgresConnection) throws -> ExportRules {
        let row = try connection.query(ReportSQL.selectExportRules, [.int(Int64(app))])[0]
        var rules = ExportRules()
        rules.version = try row.optionalInt(0)
        rules.setAt = try row.optionalTimestamp(1).map { Timestamp(microseconds: $0) }
        rules.rereadVersion = try row.optionalInt(2)
        rules.rereadAt = try row.optionalTimestamp(3).map { Timestamp(microseconds: $0) }
        return rules
    }

    /// A JSON object; `null` for an app that has never had rules and whose history was never read again.
    var json: String {
        guard version != nil || rereadVersion != nil else { return "null" }
        func text(_ time: Timestamp?) -> String { time.map { JSONWriter.quoted($0.rfc3339) } ?? "null" }
        let reread =
            rereadVersion.map { "{\"version\": \($0), \"finished_at\": \(text(rereadAt))}" } ?? "null"
        return "{\"version\": \(version.map(String.init) ?? "null"), \"set_at\": \(text(setAt)), \"reread\": \(reread)}"
    }
}
