import Foundation
import GRDB
import Time
import Events

/// Requests that cannot be read: the file was damaged, or another version of this program has written them. They are
/// set aside in a table of their own, so that they do not block the requests behind them.
extension Spool {
    static func setAside(_ position: Int64, _ database: Database) throws {
        try database.execute(sql: StoredSQL.setAsideSpool, arguments: [position])
    }

    /// Appends the set-aside requests that this version can read to the waiting ones.
    static func takeBackUnreadable(_ database: Database) throws {
        var readable: [(position: Int64, events: Int, receivedAt: Int64)] = []
        let rows = try Row.fetchCursor(database, sql: StoredSQL.readUnreadable)
        while let row = try rows.next() {
            if let payload = Data.fromDatabaseValue(row["payload"]),
                let submission = try? SubmissionCoding.decode(Array(payload))
            {
                readable.append((row["position"], submission.events.count, submission.receivedAt.microseconds))
            }
        }
        for request in readable {
            try database.execute(
                sql: StoredSQL.takeBackUnreadable,
                arguments: [request.events, request.receivedAt, request.position]
            )
            try database.execute(sql: StoredSQL.removeUnreadable, arguments: [request.position])
        }
    }

    /// - Returns: how many requests are set aside, and how many of them are not what was written.
    static func unreadable(_ database: Database) throws -> (all: Int, damaged: Int) {
        guard try database.tableExists("unreadable") else { return (0, 0) }
        var (all, damaged) = (0, 0)
        let rows = try Row.fetchCursor(database, sql: StoredSQL.readUnreadable)
        while let row = try rows.next() {
            all += 1
            let payload = Data.fromDatabaseValue(row["payload"]).map { Array($0) } ?? []
            if !SubmissionCoding.isSealed(payload) { damaged += 1 }
        }
        return (all, damaged)
    }

    static func countUnreadable(_ database: Database) throws -> Int {
        guard try database.tableExists("unreadable") else { return 0 }
        return try Int.fetchOne(database, sql: StoredSQL.countUnreadable) ?? 0
    }
}
