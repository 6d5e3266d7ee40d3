package import InboundLinks
import JSONReading
package import Postgres
package import Time

/// An entry of the log of changes.
package struct Change: Equatable, Sendable {
    package var number: Int64
    package var at: Timestamp
    /// Nil: it concerned every app, or deleted one.
    package var appID: String?
    /// As ``Actor`` says it.
    package var who: String
    /// The word of a ``ChangeKind``, perhaps of a later version.
    package var what: String
    /// What was changed: a name, an address, a number; empty if there is no more to say.
    package var subject: String
    /// The fields that changed, as JSON objects. Nil: there was nothing before, or is nothing after.
    package var before: String?
    package var after: String?

    /// Its fields by their names in lists and files; nil: there is none.
    package var fields: [(name: String, value: String?)] {
        [
            ("number", String(number)), ("changed_at", at.rfc3339), ("app_id", appID), ("who", who), ("what", what),
            ("subject", subject), ("before", before), ("after", after),
        ]
    }

    /// With a header.
    ///
    /// - Parameter field: writes the text of a cell.
    package static func csv(_ changes: [Change], field: (String) -> String) -> String {
        let none = Change(number: 0, at: Timestamp(microseconds: 0), who: "", what: "", subject: "")
        let names = none.fields.map(\.name)
        let rows = [names] + changes.map { $0.fields.map { $0.value ?? "" } }
        return rows.map { $0.map(field).joined(separator: ",") + "\r\n" }.joined()
    }
}

/// The log of changes (docs/changes.md). It holds no secret. Ids of a person may be in it until the person is deleted.
package struct ChangeLog: Sendable {
    /// The fields of what is changed, by their names, as the log shows them.
    package typealias Fields = [(String, InspectionValue)]

    /// How long entries are kept (`RetentionRun`).
    package static let retention: Duration = .seconds(400 * 86_400)
    /// Of each side, in bytes.
    private static let sizeLimit = 4_096
    /// Of each text, in characters.
    private static let textLimit = 500

    private let pool: PostgresPool

    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// The entries of an app, the newest first.
    ///
    /// - Parameters:
    ///   - app: nil: all entries.
    ///   - number: of the last entry of the page before; nil for the first page.
    package func changes(of app: App?, before number: Int64? = nil, limit: Int) async throws -> [Change] {
        try await pool.withConnection { connection in
            try connection.query(
                StoredSQL.selectChangeLog,
                [
                    app.map { .int(Int64($0.number)) } ?? .null, number.map { .int($0) } ?? .null, .int(Int64(limit)),
                ]
            ).map { row in
                Change(
                    number: try row.int64(0),
                    at: Timestamp(microseconds: try row.timestamp(1)),
                    appID: try row.optionalText(2),
                    who: try row.text(3),
                    what: try row.text(4),
                    subject: try row.text(5),
                    before: try row.optionalText(6),
                    after: try row.optionalText(7)
                )
            }
        }
    }

    /// An address that something is sent to, without its path, which may be a secret.
    package static func shownAddress(_ url: String) -> String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return url }
        let host = url[start...].prefix { !"/?#".contains($0) }
        // Without a user and a password.
        let name = host.split(separator: "@", omittingEmptySubsequences: false).last ?? host
        return url[..<start] + name + (host.endIndex == url.endIndex ? "" : "/…")
    }

    /// $2 to $6 of `insert_change.sql`; nil if both sides are the same.
    fileprivate static func values(_ kind: ChangeKind, _ subject: String, _ before: Fields, _ after: Fields)
        -> [PostgresValue]?
    {
        let (old, new) = (changed(before, other: after), changed(after, other: before))
        guard before.isEmpty || after.isEmpty || !old.isEmpty || !new.isEmpty else { return nil }
        return [
            .text(shown(Actor.name)), .text(kind.rawValue), .text(shown(subject)), PostgresValue(json(old)),
            PostgresValue(json(new)),
        ]
    }

    /// The fields of one side that the other has not, or has with another value.
    private static func changed(_ fields: Fields, other: Fields) -> Fields {
        fields.filter { name, value in
            guard let known = other.first(where: { $0.0 == name }) else {
                return other.isEmpty ? value != .null && value != .list([]) : true
            }
            return known.1 != value
        }
    }

    private static func shown(_ text: String) -> String {
        let redacted = Redaction.redact(text)
        let start = redacted.unicodeScalars.prefix(textLimit)
        return start.endIndex == redacted.endIndex ? redacted : String(start) + "…"
    }

    /// A JSON object; nil without fields. Fields for which there is no room are left out, and `…` is true.
    private static func json(_ fields: Fields) -> String? {
        guard !fields.isEmpty else { return nil }
        let rest = #","…":true}"#
        var json = "{"
        for (name, value) in fields {
            var writer = JSONWriter()
            let value: InspectionValue =
                switch value {
                case .string(let text): .string(shown(text))
                case .list(let texts): .list(texts.prefix(100).map(shown))
                default: value
                }
            value.write(to: &writer)
            let member = (json == "{" ? "" : ",") + JSONWriter.quoted(name) + ":" + writer.text
            guard json.utf8.count + member.utf8.count + rest.utf8.count <= sizeLimit else {
                return json == "{" ? #"{"…":true}"# : json + rest
            }
            json += member
        }
        return json + "}"
    }
}

extension PostgresConnection {
    /// Writes an entry of the log of changes in the transaction of the change itself, after it. Writes nothing if both
    /// sides are the same.
    ///
    /// - Parameters:
    ///   - app: nil: the change concerns every app.
    ///   - before: no secrets. Fields that are as after the change are left out. Nil: there was nothing.
    ///   - after: the same.
    package func log(
        _ kind: ChangeKind,
        _ subject: String = "",
        in app: Int32?,
        from before: ChangeLog.Fields? = nil,
        to after: ChangeLog.Fields? = nil
    ) throws {
        guard let values = ChangeLog.values(kind, subject, before ?? [], after ?? []) else { return }
        try execute(StoredSQL.insertChange, [app.map { .int(Int64($0)) } ?? .null] + values)
    }
}
