import HTTPTypes
import HummingbirdCore
import Reporting
import Storage

/// `/questions/notes`: what happened on days that charts show.
extension Dashboard {
    static let notesPath = "/questions/notes"
    static let noteDeletionPath = "/questions/notes/delete"

    /// - Returns: nil if there is no such page.
    func respondToNotes(_ path: String, _ request: Request) async -> Response? {
        switch (request.method, path) {
        case (.get, Self.notesPath), (.head, Self.notesPath):
            return await withView(.questions, request) { asked throws(DashboardFailure) in
                try await notesPage(FormState(), asked)
            }
        case (.post, Self.notesPath):
            return await changing(request, again: notesPage) { form, asked throws(DashboardFailure) in
                _ = try await stores.ask {
                    try await $0.notes.add(form["text"] ?? "", on: form["day"] ?? "", of: asked.app, now: asked.now)
                }
                return redirect(to: Self.notesPath)
            }
        case (_, Self.noteDeletionPath):
            return await confirming(
                request,
                at: path,
                fields: ["number"],
                ask: noteDeletion,
                missing: { _, _ in redirect(to: Self.notesPath) }
            ) { form, asked throws(DashboardFailure) in
                let number = Int64(form["number"] ?? "") ?? 0
                _ = try await stores.ask { try await $0.notes.delete(number, of: asked.app) }
                return redirect(to: Self.notesPath)
            }
        default: return nil
        }
    }

    private func notesPage(_ form: FormState, _ asked: ViewRequest) async throws(DashboardFailure) -> Response {
        let notes = try await stores.ask { try await $0.notes.list(of: asked.app) }
        let view = NotesView(notes, form, asked)
        let place = Pages.Place(title: "Notes", path: Self.notesPath)
        return page(asked, at: place, view, "notes", status: form.status)
    }

    private func noteDeletion(_ fields: FormFields, _ asked: ViewRequest)
        async throws(DashboardFailure) -> Confirmation?
    {
        let notes = try await stores.ask { try await $0.notes.list(of: asked.app) }
        return notes.first { "\($0.number)" == fields["number"] }.map { note in
            Confirmation(
                title: "Delete this note?",
                trail: Self.notesPath,
                trailTitle: "All notes",
                subject: "\(note.day)",
                detail: note.text,
                button: "Delete the note",
                back: Self.notesPath
            )
        }
    }
}

/// What happened on days, the last first, and the form for more, for the template `notes`.
struct NotesView {
    struct Row {
        var day: String
        var text: String
        /// The page that asks whether to delete it.
        var deletion: String
    }

    var rows: [Row]
    var day: String
    var text: String
    var problem: String?
    var key: WriteKeyField

    init(_ notes: [Note], _ form: FormState, _ request: ViewRequest) {
        rows = notes.reversed().map { note in
            Row(
                day: "\(note.day)",
                text: note.text,
                deletion: Dashboard.noteDeletionPath + "?" + FormFields.encode([("number", "\(note.number)")])
            )
        }
        day = form["day"] ?? request.today
        text = form["text"] ?? ""
        problem = form.problem
        key = form.key
    }
}
