import Events
import Foundation
import Time
import Logging
import Postgres
import PostgresTesting
@testable import Storage
import Testing

/// Helpers for the tests of deletion.
extension StorageTesting {
    /// A time that is in the past by every clock.
    static let past = Timestamp.now.advanced(by: .seconds(-60))

    func people(_ folder: String = "/nonexistent") async throws -> PersonStore {
        try await PersonStore(pool: pool, spools: SpoolFolder(path: folder, of: pool), packed: NothingPacked())
    }

    func submission(
        _ events: [Event],
        receivedAt: Timestamp = noon,
        rejections: [Rejection] = []
    ) -> Submission {
        Submission(
            appNumber: app.number,
            keyPrefix: "trib_w_test",
            receivedAt: receivedAt,
            events: events.map { event in
                var event = event
                event.receivedAt = receivedAt
                return event
            },
            rejections: rejections
        )
    }

    static func rejection(_ event: String) -> Rejection {
        Rejection(index: 0, code: .missingField, field: "name", message: "m", redactedEvent: event)
    }

    /// Every row of every table as text, with receipts.
    func dump() async throws -> String {
        let tables = try await texts(
            """
            select table_name::text from information_schema.tables
            where table_type = 'BASE TABLE' and table_schema = current_schema()
            """
        )
        var text = ""
        for table in tables {
            text +=
                "\n\(table): "
                + (try await texts("select stored::text from \(table) as stored")).joined(separator: "\n")
        }
        return text
    }

    /// Device and click links, sorted.
    func links() async throws -> [String] {
        try await texts(
            """
            select link
            from (
                select 'd' || device_id || ' is u' || user_id as link from device_link
                union all
                select 'c' || click_id || ' is ' || coalesce('u' || user_id, 'd' || device_id) from click_link
            ) as links
            order by link collate "C"
            """
        )
    }

    /// A session that is storing an event of a person whose device it has seen linked. It has not committed.
    func storing(user: String, device: String) async throws -> PostgresConnection {
        let connection = try await PostgresConnection.connect(to: pool.address, options: TestDatabases.options)
        // On its own: the lock of a script lasts until the script's transaction ends.
        try await connection.executeScript("select ensure_event_partition('\(Self.noon.rfc3339)')")
        try await connection.executeScript("begin")
        try await connection.execute(EventInsert.opening[0])
        try await connection.executeScript(
            """
            insert into event (app_number, event_id, type, occurred_at, received_at, user_id, device_id, transaction_number)
            values (
                \(app.number), gen_random_uuid(), 'authentication', '\(Self.noon.rfc3339)', clock_timestamp(),
                '\(user)', '\(device)', current_transaction_number()
            )
            """
        )
        return connection
    }

    func withSpool<R>(
        _ folder: String,
        _ body: (Spool) async throws -> R
    ) async throws -> R {
        let spool = try await Spool.open(in: folder, of: nil, logger: Logger(label: "test"))
        return try await spool.whileRunning { try await body(spool) }
    }

    static func withFolder<R>(_ body: (String) async throws -> R) async throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "people-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    /// Whether any file of a folder contains the bytes.
    static func holds(_ folder: String, _ text: String) throws -> Bool {
        try FileManager.default.subpathsOfDirectory(atPath: folder).contains { name in
            FileManager.default.contents(atPath: "\(folder)/\(name)")?.firstRange(of: Data(text.utf8)) != nil
        }
    }
}
