import Foundation
import GRDB
package import Postgres
import Events

/// Reads the spools of a folder from outside, and removes data from them, even while daemons have them open. SQLite's
/// locks keep both apart: a daemon waits at most while one request is rewritten.
package struct SpoolFolder: Sendable {
    /// The number of removed items.
    package struct Erasure: Equatable, Sendable {
        package var events = 0
        package var rejections = 0
        /// Requests that could not be read and held data to remove. They were removed whole.
        package var unreadable = 0

        package init() {}
    }

    private let path: String
    private let identity: DatabaseIdentity

    /// - Parameter pool: of the database. Spools of other databases are ignored.
    package init(path: String, of pool: PostgresPool) async throws {
        self.path = path
        identity = try await pool.withConnection { try DatabaseIdentity.read($0) }
    }

    /// The paths of the spools, sorted by name; none if the folder does not exist.
    static func files(in path: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasPrefix("spool-") && $0.hasSuffix(".sqlite") }
            .sorted()
            .map { "\(path)/\($0)" }
    }

    /// - Throws: `SpoolError.notPermitted` if a file cannot be read or written.
    package func checkAccess() throws {
        if FileManager.default.fileExists(atPath: path), !FileManager.default.isReadableFile(atPath: path) {
            throw SpoolError.notPermitted(path: path)
        }
        for file in try Self.files(in: path) where !FileManager.default.isWritableFile(atPath: file) {
            throw SpoolError.notPermitted(path: file)
        }
    }

    /// Reads every waiting request, in each file the oldest first. Skips requests that cannot be read.
    func forEachSubmission(_ body: (Submission) throws -> Void) throws {
        for file in try Self.files(in: path) {
            try Self.translatingErrors(of: file) {
                try open(file, readOnly: true).read { database in
                    guard try isReadable(database) else { return }
                    let rows = try Row.fetchCursor(database, sql: StoredSQL.readSpool, arguments: [0])
                    while let row = try rows.next() {
                        let payload = Self.payload(row)
                        if let submission = try? SubmissionCoding.decode(payload) { try body(submission) }
                    }
                }
            }
        }
    }

    /// Removes data from requests and leaves no trace of it in the files.
    ///
    /// - Parameters:
    ///   - edit: removes the data from a request.
    ///   - isDoomed: whether a request that cannot be read holds such data.
    func erase(
        _ edit: (inout Submission) -> Void,
        isDoomed: ([UInt8]) -> Bool
    ) throws -> Erasure {
        var erasure = Erasure()
        for file in try Self.files(in: path) {
            try Self.translatingErrors(of: file) { try erase(in: file, edit, isDoomed, &erasure) }
        }
        return erasure
    }

    private func erase(
        in file: String,
        _ edit: (inout Submission) -> Void,
        _ isDoomed: ([UInt8]) -> Bool,
        _ erasure: inout Erasure
    ) throws {
        let database = try open(file, readOnly: false)
        guard try database.read(isReadable) else { return }
        for position in try Self.candidates(in: database, edit, isDoomed) {
            try database.write { try Self.rewrite(position, in: $0, edit, isDoomed, &erasure) }
        }
        let unreadable = try database.read { database in
            let rows = try Row.fetchCursor(database, sql: StoredSQL.readUnreadable)
            var positions: [Int64] = []
            while let row = try rows.next() {
                if isDoomed(Self.payload(row)) { positions.append(row["position"]) }
            }
            return positions
        }
        for position in unreadable {
            try database.write { try $0.execute(sql: StoredSQL.removeUnreadable, arguments: [position]) }
            erasure.unreadable += 1
        }
        // Until now, the log still holds the removed data.
        _ = try database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }

    /// Whether the file has its tables and belongs to this database. A file that a daemon is creating has no tables
    /// yet.
    private func isReadable(_ database: Database) throws -> Bool {
        guard try database.tableExists("batch") else { return false }
        let origin = try Spool.readOrigin(database)
        return origin == nil || origin == identity
    }

    private static func translatingErrors(of file: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
                throw SpoolError.notPermitted(path: file)
            default: throw SpoolError.unusable("\(file): \(error)")
            }
        }
    }

    private func open(_ file: String, readOnly: Bool) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = readOnly
        configuration.busyMode = .timeout(30)
        configuration.label = "spool"
        configuration.prepareDatabase { database in
            if !readOnly { try database.execute(sql: "pragma synchronous = full; pragma secure_delete = on") }
        }
        return try DatabaseQueue(path: file, configuration: configuration)
    }

    /// The positions of requests that hold data to remove. Found before any write, so that daemons need not wait.
    private static func candidates(
        in database: DatabaseQueue,
        _ edit: (inout Submission) -> Void,
        _ isDoomed: ([UInt8]) -> Bool
    ) throws -> [Int64] {
        try database.read { database in
            let rows = try Row.fetchCursor(database, sql: StoredSQL.readSpool, arguments: [0])
            var positions: [Int64] = []
            while let row = try rows.next() {
                let payload = Self.payload(row)
                if let submission = try? SubmissionCoding.decode(payload) {
                    var edited = submission
                    edit(&edited)
                    if edited != submission { positions.append(row["position"]) }
                } else if isDoomed(payload) {
                    positions.append(row["position"])
                }
            }
            return positions
        }
    }

    private static func rewrite(
        _ position: Int64,
        in database: Database,
        _ edit: (inout Submission) -> Void,
        _ isDoomed: ([UInt8]) -> Bool,
        _ erasure: inout Erasure
    ) throws {
        // The request may have been delivered meanwhile.
        guard let row = try Row.fetchOne(database, sql: StoredSQL.readSpoolRow, arguments: [position]) else { return }
        let payload = Self.payload(row)
        guard let submission = try? SubmissionCoding.decode(payload) else {
            guard isDoomed(payload) else { return }
            try replace(position, by: SubmissionCoding.nothing, events: 0, database)
            erasure.unreadable += 1
            return
        }
        var edited = submission
        edit(&edited)
        erasure.events += submission.events.count - edited.events.count
        erasure.rejections += submission.rejections.count - edited.rejections.count
        let isEmpty = edited.events.isEmpty && edited.rejections.isEmpty
        let rewritten = isEmpty ? SubmissionCoding.nothing : SubmissionCoding.encode(edited)
        try replace(position, by: rewritten, events: edited.events.count, database)
    }

    /// No row is deleted: a position that is missing is a sign of damage.
    private static func replace(_ position: Int64, by payload: [UInt8], events: Int, _ database: Database) throws {
        try database.execute(sql: StoredSQL.rewriteSpoolRow, arguments: [Data(payload), events, position])
    }

    /// Empty if a damaged file holds something else there.
    private static func payload(_ row: Row) -> [UInt8] {
        Data.fromDatabaseValue(row["payload"]).map { Array($0) } ?? []
    }
}
