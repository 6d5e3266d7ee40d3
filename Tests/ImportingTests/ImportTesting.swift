import Events
import Foundation
import Gzip
import Importing
import Logging
import Postgres
import PostgresTesting
import Storage

/// A migrated database with two apps, and a folder for files.
struct ImportTesting: Sendable {
    let database: TestDatabase
    let folder: URL

    static func with(_ body: @Sendable (ImportTesting) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "import-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
            let store = AppStore(pool: database.pool)
            for id in ["shop", "other"] { _ = try await store.create(AppProfile(id: id, name: id)) }
            try await body(ImportTesting(database: database, folder: folder))
        }
    }

    func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let url = folder.appending(path: name)
        try Data(bytes).write(to: url)
        return url.path
    }

    /// Imports files, and returns the notices other than rejections and progress.
    @discardableResult
    func `import`(
        _ paths: [String],
        app: String = "shop",
        _ change: (inout EventImporter.Settings) -> Void = { _ in }
    ) async throws -> (tally: ImportTally, notices: [ImportNotice]) {
        let app = try await AppStore(pool: database.pool).app(id: app)
        let writer = EventWriter(pool: database.pool, logger: Logger(label: "test"))
        var settings = EventImporter.Settings(retention: .seconds(400 * 86_400))
        change(&settings)
        var notices: [ImportNotice] = []
        var importer = EventImporter(
            app: app,
            settings: settings,
            destination: EventImporter.Destination(
                writer: writer,
                checkpoints: ImportCheckpointStore(pool: database.pool)
            )
        ) { notice in
            switch notice {
            case .rejected, .progress, .event: break
            default: notices.append(notice)
            }
        }
        try await writer.whileRunning { try await importer.run(paths) }
        return (importer.tally, notices)
    }

    func count(_ sql: String) async throws -> Int {
        try await database.pool.withConnection { Int(try $0.query(sql)[0].int(0)) }
    }

    func texts(_ sql: String) async throws -> [String] {
        try await database.pool.withConnection { connection in try connection.query(sql).map { try $0.text(0) } }
    }

    /// NDJSON without event ids, one event for each line number.
    static func lines(_ range: ClosedRange<Int>) -> String {
        range.map { #"{"type":"install","user_id":"u\#($0)"}"# + "\n" }.joined()
    }

    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        GzipDeflation.deflating(bytes) ?? []
    }
}
