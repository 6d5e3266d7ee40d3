import EventTesting
import Events
import Postgres
@testable import Storage
import Synchronization
import Testing

/// What holds for every field of an event that is stored, and for every column that it is stored in.
@Suite("Stored fields")
struct StoredFieldTests {
    typealias Base = StorageTesting

    /// Columns of `event` that say when and for whom it was stored, and not what happened.
    private static let columnsOfStoring: Set = ["app_number", "transaction_number", "reread_transaction"]
    /// Texts that senders do not choose freely.
    private static let unsearched: Set = ["channel_rule", "link_form", "currency", "short_link", "country", "language"]

    private static func lines(of user: String, _ folder: String, _ base: Base) async throws -> String {
        let lines = Mutex<[String]>([])
        _ = try await base.people(folder).export(of: PersonKey(.user, user), in: base.app) { line in
            lines.withLock { $0.append(line) }
        }
        return lines.withLock { $0.joined(separator: "\n") }
    }

    @Test func areInTheTableAndInThePersonsFile() async throws {
        let marked = try MarkedEvent.all().filter { $0.use.field != .userID }
        let events = marked.map { marked in
            var event = marked.event
            event.userID = "alice"
            return event
        }
        try await Base.with { base in
            try await Base.withFolder { folder in
                try await base.withSpool(folder) { spool in
                    try await spool.append(base.submission(events))
                    let waiting = try await Self.lines(of: "alice", folder, base)
                    try await base.store(events)
                    try await spool.remove(through: try #require(try await spool.oldest()).position)
                    let stored = try await Self.lines(of: "alice", folder, base)
                    let table = try await base.texts("select stored::text from event as stored").joined()
                    for marked in marked {
                        #expect(waiting.contains(marked.text), "\(marked.use) in the spool")
                        #expect(stored.contains(marked.text), "\(marked.use)")
                        #expect(table.contains(marked.text), "\(marked.use) in the table")
                    }
                }
            }
        }
    }

    @Test func haveColumnsThatAreAllDeclared() async throws {
        try await Base.with { base in
            let columns = try await base.texts(
                "select column_name::text from information_schema.columns where table_name = 'event'"
            )
            #expect(
                Set(columns).subtracting(Self.columnsOfStoring) == Set(EventColumn.all.map(\.name)),
                "EventColumn.all is the list of the columns"
            )
        }
    }

    @Test func areSearchedForSecretsIfTheyAreTexts() async throws {
        try await Base.with { base in
            let columns = try await base.texts(
                """
                select column_name::text from information_schema.columns
                where table_name = 'event' and data_type in ('text', 'ARRAY', 'jsonb')
                """
            )
            let searched = EventColumn.all.filter { $0.redaction != nil }.map(\.name)
            #expect(Set(columns).subtracting(Self.unsearched) == Set(searched))
        }
    }
}
