import InboundLinks
package import Postgres
package import Storage
package import Time

/// The notes of apps, for the command line, the dashboard and what is sent.
package struct Notes: Sendable {
    private let store: NoteStore

    package init(pool: PostgresPool) {
        store = NoteStore(pool: pool)
    }

    /// - Parameter day: a date, `today` or `yesterday`, in the app's time zone.
    /// - Throws: `ReportError.usage`.
    package func add(_ text: String, on day: String, of app: App, now: Timestamp = .now) async throws -> Note {
        let text = String(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        guard !text.isEmpty, text.utf8.count <= NoteStore.textLimit, !text.contains("\0") else {
            throw ReportError.usage(
                message: "the text of a note has 1 to \(NoteStore.textLimit) bytes",
                field: "text"
            )
        }
        guard Redaction.redact(text) == text else {
            throw ReportError.usage(
                message: "the text holds a secret, such as an access token; leave it out",
                field: "text"
            )
        }
        guard let zone = ReportTimeZone(app.profile.timeZone),
            ["today", "yesterday"].contains(day) || CivilDate(day) != nil
        else { throw ReportError.invalid("day", "'\(day)' is not a date, such as 2026-11-24, today or yesterday") }
        let date = zone.day(of: try ReportInstant.parse(day, field: "day", zone: zone, now: now))
        guard let note = try await store.add(text, on: date, of: app) else {
            throw ReportError.usage(
                message: "an app has at most \(NoteStore.limit) notes; delete some",
                field: "text"
            )
        }
        return note
    }

    /// The notes of some days, by day.
    ///
    /// - Parameter to: the day after the last one.
    package func list(of app: App, from: CivilDate? = nil, to: CivilDate? = nil) async throws -> [Note] {
        try await store.list(of: app, from: from, to: to)
    }

    /// - Throws: `ReportError.usage` if the app has no such note.
    package func delete(_ number: Int64, of app: App) async throws -> Note {
        if let note = try await store.delete(number, of: app) { return note }
        throw ReportError.usage(
            message: "there is no note \(number); 'tributary note list' lists the notes",
            field: "number"
        )
    }
}
