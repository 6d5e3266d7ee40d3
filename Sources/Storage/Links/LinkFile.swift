import Foundation
import GRDB
import InboundLinks
import JSONReading
import Redirects

/// A daemon's copy of the links on its disk. The daemon serves it when it starts without the database.
///
/// It is a copy: a file that is damaged or lost is written anew from the database.
package actor LinkFile {
    private let path: String
    /// Open since the first use.
    private var queue: DatabaseQueue?

    /// - Parameter spool: the path of the daemon's spool. The file lies beside it, and the daemon alone uses it.
    package init(beside spool: String) {
        path = spool + ".links"
    }

    /// The links as they were written last; nil if there are none.
    package func read() async throws -> LinkSnapshot? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try await open().read { database in
            guard let revision = try Int64.fetchOne(database, sql: StoredSQL.readLinkFileRevision) else { return nil }
            let apps = try String.fetchAll(database, sql: StoredSQL.readLinkFileApps).map {
                try JSONDecoder().decode(HostedApp.self, from: Data($0.utf8))
            }
            var snapshot = LinkSnapshot(revision: revision, apps: apps, table: LinkTable())
            for app in apps { snapshot.table.set(app.app, hosts: app.hosts) }
            let contents = try String.fetchCursor(database, sql: StoredSQL.readLinkFileLinks)
            while let content = try contents.next() { snapshot.table.set(try Link(content: content)) }
            return snapshot
        }
    }

    /// Writes all links, in the place of those that were there.
    package func replace(with snapshot: LinkSnapshot) async throws {
        do {
            try await write(snapshot)
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            queue = nil
            for suffix in ["", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            try await write(snapshot)
        }
    }

    private func write(_ snapshot: LinkSnapshot) async throws {
        try await open().write { database in
            try database.execute(sql: "delete from link; delete from app; delete from revision")
            try snapshot.table.forEach { try Self.write($0, to: database) }
            try Self.write(snapshot.apps, snapshot.revision, to: database)
        }
    }

    /// Why changes cannot be applied.
    package struct LacksChanges: Error {}

    /// Writes what has changed since a revision, change after change, in one transaction.
    ///
    /// - Throws: `LacksChanges` if the file has another revision; SQLite's errors. Then write it anew.
    package func apply(_ changes: [LinkChanges], since revision: Int64) async throws {
        guard let last = changes.last else { return }
        try await open().write { database in
            guard try Int64.fetchOne(database, sql: StoredSQL.readLinkFileRevision) == revision else {
                throw LacksChanges()
            }
            for change in changes {
                for address in change.removed {
                    try database.cachedStatement(sql: StoredSQL.removeLinkFileLink)
                        .execute(arguments: [address.host, address.slug])
                }
                for link in change.set { try Self.write(link, to: database) }
            }
            try database.execute(sql: "delete from app; delete from revision")
            try Self.write(last.apps, last.revision, to: database)
        }
    }

    private func open() throws -> DatabaseQueue {
        if FileManager.default.fileExists(atPath: path) {
            if let queue { return queue }
        } else {
            // Only the daemon reads it.
            _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        let database = try DatabaseQueue(path: path)
        try database.write { try $0.execute(sql: StoredSQL.createLinkFile) }
        queue = database
        return database
    }

    private static func write(_ link: Link, to database: Database) throws {
        try database.cachedStatement(sql: StoredSQL.writeLinkFileLink)
            .execute(arguments: [link.host, link.slug, InspectionValue.object(link.givenFields, indented: false)])
    }

    private static func write(_ apps: [HostedApp], _ revision: Int64, to database: Database) throws {
        for app in apps {
            let content = String(decoding: try JSONEncoder().encode(app), as: UTF8.self)
            try database.execute(sql: StoredSQL.writeLinkFileApp, arguments: [app.number, content])
        }
        try database.execute(sql: StoredSQL.writeLinkFileRevision, arguments: [revision])
    }
}

extension Link {
    /// The link whose ``givenFields`` are these.
    fileprivate init(content: String) throws {
        self.init(host: "", slug: "")
        for (name, value) in try JSONDocument(reading: content.utf8).root.members {
            _ = try LinkFields.set(name, to: value, of: &self)
        }
    }
}
