import Events
import InboundLinks
import JSONReading
import Postgres

/// Searches a table for secrets: one page range after the other, each in a transaction of its own, which also rewrites
/// what it finds. So no transaction grows with the table. Pages that the table gets while this runs are not read.
struct SecretSearch {
    /// 8 MiB of pages.
    private static let pagesAtOnce = 1_024

    let table: SearchedTable
    /// Nil: the rows of every app.
    let app: Int32?

    /// A row with secrets.
    struct Finding {
        /// The row's place in the table.
        var tid: String
        var app: Int32
        var month: String
        /// The new values.
        var changes: [(column: SearchedTable.Column, value: Value)] = []
        /// The link that the story join compares, if it has changed.
        var storyLink: String?

        enum Value {
            case text(String)
            case list([String])
            case object(String)
            case null
        }

        var isReported: Bool { changes.contains { $0.column.isReported } }
    }

    /// - Parameters:
    ///   - rewriting: whether to rewrite the rows that are found.
    ///   - before: called in the transaction before rows are rewritten, perhaps again if the transaction is repeated.
    ///   - found: called with the findings of a page range, once, after its transaction.
    func run(
        on connection: isolated PostgresConnection,
        rewriting: Bool,
        progress: DeletionProgress.Handler,
        before: ([Finding]) throws -> Void = { _ in },
        found: ([Finding]) -> Void = { _ in }
    ) throws {
        for pages in try TablePages.all(of: table.name, app: app, on: connection) {
            for first in stride(from: 0, to: pages.count, by: Self.pagesAtOnce) {
                progress(DeletionProgress("searching \(table.name)", done: first, total: pages.count))
                // Repeatable read: while its snapshot lasts, no place of a row is used again.
                let rows = try StoringTransactions.retrying {
                    try connection.transaction(isolation: .repeatableRead, readOnly: !rewriting) {
                        let range = pages.condition(from: first, to: first + Self.pagesAtOnce)
                        let findings = try self.findings(where: range, on: connection)
                        if rewriting, !findings.isEmpty {
                            try before(findings)
                            try rewrite(findings, of: pages, on: connection)
                        }
                        return findings
                    }
                }
                if !rows.isEmpty { found(rows) }
            }
        }
    }

    private func findings(
        where condition: String,
        on connection: isolated PostgresConnection
    ) throws -> [Finding] {
        let columns = table.columns.map(\.selected).joined(separator: ", ")
        let type = table.isEvent ? "type::text" : "null::text"
        var findings: [Finding] = []
        try connection.copyOut(
            """
            copy (
                select ctid::text, app_number::bigint, \(table.month)::text, \(type), \(columns)
                from "\(table.name)"
                where \(condition)
            ) to stdout (format binary)
            """
        ) { row in
            var finding = Finding(
                tid: try row.nextText(),
                app: Int32(try row.nextInt64()),
                month: try row.nextText()
            )
            let type = try row.nextOptionalText().flatMap { EventType(rawValue: $0) }
            for column in table.columns {
                guard let bytes = try row.nextUnsafeBytes() else { continue }
                guard let value = Self.redacted(bytes, column, of: type) else { continue }
                finding.changes.append((column, value))
                if case .text(let text) = value, column.name == "target_url" || column.name == "post_link" {
                    finding.storyLink = StoryLink.normalised(text)
                }
            }
            if !finding.changes.isEmpty { findings.append(finding) }
        }
        return findings
    }

    /// The new value; nil if the value holds no secret.
    private static func redacted(
        _ bytes: UnsafeRawBufferPointer,
        _ column: SearchedTable.Column,
        of type: EventType?
    ) -> Finding.Value? {
        if case .encodedEvent = column.content {
            guard !bytes.isEmpty, let event = try? EventJSON.decode(bytes) else { return nil }
            let redacted = StoredText.event(event)
            return redacted == event ? nil : .text(EventJSON.encode(redacted))
        }
        let mayHoldSecrets = bytes.withMemoryRebound(to: UInt8.self) { Redaction.mayBeNeeded(for: $0) }
        // A login's `state` alone leaves no trace: only reading the link tells that it is a secret.
        guard mayHoldSecrets || column.content == .url else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let redacted: String
        switch column.content {
        case .list:
            guard let document = try? JSONDocument(reading: bytes) else { return nil }
            let texts = document.root.elements.map { $0.string ?? "" }
            let redacted = texts.map { StoredText.text($0) }
            return redacted == texts ? nil : .list(redacted)
        case .object:
            redacted = StoredText.object(text)
            return redacted == text ? nil : .object(redacted)
        case .postID: return StoredText.text(text) == text ? nil : .null
        case .url:
            redacted =
                switch type {
                case .feedPost: StoredText.text(text)
                case .authentication: StoredText.loginCallback(text)
                default: StoredText.link(text)
                }
        case .rejectedEvent: redacted = StoredText.rejectedEvent(text)
        case .text, .encodedEvent: redacted = StoredText.text(text)
        }
        return redacted == text ? nil : .text(redacted)
    }

    /// Writes the new values of the findings, or deletes their rows.
    private func rewrite(
        _ findings: [Finding],
        of pages: TablePages,
        on connection: isolated PostgresConnection
    ) throws {
        switch table.remedy {
        case .delete:
            try connection.execute(
                "delete from \"\(table.name)\" where ctid = any ($1::tid[])\(pages.condition)",
                [.textArray(findings.map(\.tid))]
            )
        case .update:
            let columns = table.columns.filter { column in
                findings.contains { $0.changes.contains { $0.column.name == column.name } }
            }
            var assignments = columns.map(\.assignment)
            var declarations = ["tid text"] + columns.map(\.declaration)
            if findings.contains(where: { $0.storyLink != nil }) {
                assignments.append(
                    "story_key = case when stored.story_key is not null then coalesce(change.story_key, stored.story_key) end"
                )
                declarations.append("story_key uuid")
            }
            try connection.execute(
                """
                update "\(table.name)" as stored
                set \(assignments.joined(separator: ", "))
                from json_to_recordset($1::json) as change (\(declarations.joined(separator: ", ")))
                where stored.ctid = change.tid::tid\(pages.condition)
                """,
                [.text(Self.json(findings))]
            )
        }
    }

    private static func json(_ findings: [Finding]) -> String {
        var writer = JSONWriter()
        writer.array { writer in
            for finding in findings {
                writer.object { writer in
                    writer.member("tid", finding.tid)
                    for (column, value) in finding.changes {
                        switch value {
                        case .text(let text): writer.member(column.name, text)
                        case .list(let texts): writer.member(column.name, texts)
                        case .null: writer.member(column.name, true)
                        case .object(let json):
                            writer.key(column.name)
                            writer.raw(json)
                        }
                    }
                    if let link = finding.storyLink {
                        let key = EventRow.storyKey(link)
                        writer.member("story_key", EventID(high: key.high, low: key.low).description)
                    }
                }
            }
        }
        return writer.text
    }
}
