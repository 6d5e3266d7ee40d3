import HTTPTypes

/// Who may do what: a table of docs/access-matrix.md, which `tributary dictionary access` writes.
package struct AccessTable: Sendable {
    /// An operation.
    package struct Row: Equatable, Sendable {
        /// A method, or what is done.
        package var what: String
        package var path: String
        /// For each of the table's columns.
        package var isAllowed: [Bool]

        package init(what: String, path: String, isAllowed: [Bool]) {
            (self.what, self.path, self.isAllowed) = (what, path, isAllowed)
        }
    }

    package var title: String
    /// What the table says, as Markdown.
    package var text: String
    /// Of the first column.
    package var heading: String
    /// Who somebody is: `no key`, a kind of key, a role.
    package var columns: [String]
    package var rows: [Row]

    package init(title: String, text: String, heading: String, columns: [String], rows: [Row]) {
        (self.title, self.text, self.heading, self.columns, self.rows) = (title, text, heading, columns, rows)
    }

    /// Each call over HTTP, and the keys that it takes.
    package static let http = AccessTable(
        title: "Over HTTP",
        text: """
            A key is good for its app alone. A call that is not allowed is answered with 401 without a key, and with 403
            (`wrong_key_kind`) with a key of another kind. GET stands for GET and HEAD.
            """,
        heading: "call",
        columns: ["no key"] + KeyScope.allCases.map { "`\($0.rawValue)`" },
        rows: Route.all.flatMap { route in
            route.methods.filter { $0 != "HEAD" }.map { method in
                let need = HTTPRequest.Method(method).flatMap(route.keyNeed)
                let allowed = KeyScope.allCases.map { need?.isMet(by: $0) ?? true }
                return Row(what: method, path: route.pattern, isAllowed: [need == nil] + allowed)
            }
        }
    )

    /// The page with some tables.
    package static func page(_ tables: [AccessTable]) -> String {
        """
        # Who may do what

        `make dictionary` writes this page from the lists by which the daemon decides. Keys are made with
        [`tributary app add-key`](command-line.md).

        """ + tables.map(\.markdown).joined()
    }

    private var markdown: String {
        let marks = columns.map { _ in ":-:" }.joined(separator: "|")
        let lines = rows.map { row in
            "| \(row.what) `\(row.path)` | " + row.isAllowed.map { $0 ? "✓" : "" }.joined(separator: " | ") + " |\n"
        }
        return """

            ## \(title)

            \(text)

            | \(heading) | \(columns.joined(separator: " | ")) |
            |---|\(marks)|

            """ + lines.joined()
    }
}
