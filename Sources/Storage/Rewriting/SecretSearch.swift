import Events
import InboundLinks
import JSONReading
import Postgres

/// Searches a table for secrets, and redacts or deletes the rows with some.
struct SecretSearch: TableRewrite {
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

    var tableName: String { table.name }

    var columns: [String] {
        // Some changes concern no app.
        [
            "coalesce(app_number, 0)::bigint", "coalesce(\(table.month), '')::text",
            table.isEvent ? "type::text" : "null::text",
        ]
            + table.columns.map(\.selected)
    }

    func run(
        on connection: isolated PostgresConnection,
        writing: Bool,
        progress: DeletionProgress.Handler,
        found: ([Finding]) -> Void = { _ in }
    ) throws {
        try run(on: connection, writing: writing) { done, total in
            progress(DeletionProgress("searching \(table.name)", done: done, total: total))
        } done: { findings in
            found(findings)
        }
    }

    func change(of row: inout PostgresCopyRow) throws -> Finding? {
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
        return finding.changes.isEmpty ? nil : finding
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
        // A login's `state` alone leaves no trace: only reading the link shows that it is a secret.
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
        case .json: redacted = StoredText.object(text)
        case .told: redacted = StoredText.text(text) == text ? text : ""
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

    func write(_ findings: [Finding], of app: Int32?, on connection: isolated PostgresConnection) throws {
        for app in Set(findings.lazy.filter(\.isReported).map(\.app)).sorted() {
            try connection.execute(StoredSQL.markForRebuild, [.int(Int64(app))])
            try connection.execute("select invalidate_figures($1::integer)", [.int(Int64(app))])
            try RedactionStore.markWebhookEvents(of: app, on: connection)
        }
        switch table.remedy {
        case .update: try update(findings, of: app, on: connection)
        case .delete: try delete(findings.map(\.tid), of: app, on: connection)
        case .rename: try rename(findings, on: connection)
        case .unlink:
            for app in Set(findings.map(\.app)) {
                _ = try LinkRemoval.note(in: app, storedFrom: 0, on: connection)
            }
            try delete(findings.map(\.tid), of: app, on: connection)
        }
    }

    /// One after the other, because several names may become one.
    private func rename(_ findings: [Finding], on connection: isolated PostgresConnection) throws {
        for finding in findings {
            guard case .text(var name)? = finding.changes.first?.value else { continue }
            // A name has 512 bytes, and a number may follow.
            while name.utf8.count > 480 { name.removeLast() }
            try connection.execute(StoredSQL.renameCost, [.text(finding.tid), .text(name)])
        }
    }

    private func update(_ findings: [Finding], of app: Int32?, on connection: isolated PostgresConnection) throws {
        let columns = table.columns.filter { column in
            findings.contains { $0.changes.contains { $0.column.name == column.name } }
        }
        var assignments = columns.map(\.assignment)
        var declarations = columns.map(\.declaration)
        if findings.contains(where: { $0.storyLink != nil }) {
            assignments.append(
                "story_key = case when stored.story_key is not null then coalesce(change.story_key, stored.story_key) end"
            )
            declarations.append("story_key uuid")
        }
        try update(findings, of: app, set: assignments, from: declarations, on: connection) { finding, writer in
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
