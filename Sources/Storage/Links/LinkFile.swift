import Foundation
import InboundLinks
import JSONReading
import Redirects

/// A daemon's copy of the links on its disk. The daemon serves it when it starts without the database.
///
/// It is a copy: a file that is damaged or lost is written anew from the database.
package actor LinkFile {
    private let path: String

    /// - Parameter spool: the path of the daemon's spool. The file lies beside it, and the daemon alone uses it.
    package init(beside spool: String) {
        path = spool + ".links"
    }

    /// The links as they were written last; nil if there are none.
    ///
    /// - Throws: if the file is damaged.
    package func read() throws -> LinkSnapshot? {
        guard let content = try SnapshotFile.read(path) else { return nil }
        // The revision, the apps and then each link have a line.
        var lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        guard let revision = lines.popFirst().flatMap({ Int64(String(decoding: $0, as: UTF8.self)) }),
            let apps = try lines.popFirst().map({ try JSONDecoder().decode([HostedApp].self, from: Data($0)) })
        else { throw SnapshotFile.Damage(path: path) }
        var snapshot = LinkSnapshot(revision: revision, apps: apps, table: LinkTable())
        for app in apps { snapshot.table.set(app.app, hosts: app.hosts) }
        for line in lines where !line.isEmpty { snapshot.table.set(try Link(content: line)) }
        return snapshot
    }

    /// Writes all links, in the place of those that were there.
    package func replace(with snapshot: LinkSnapshot) throws {
        var content = Array("\(snapshot.revision)\n".utf8) + (try JSONEncoder().encode(snapshot.apps))
        snapshot.table.forEach { link in
            content.append(UInt8(ascii: "\n"))
            content += InspectionValue.object(link.givenFields, indented: false).utf8
        }
        try SnapshotFile.write(content, to: path)
    }
}

extension Link {
    /// The link whose ``givenFields`` are these.
    fileprivate init(content: some Sequence<UInt8>) throws {
        self.init(host: "", slug: "")
        for (name, value) in try JSONDocument(reading: content).root.members {
            _ = try set(name, to: value)
        }
    }
}
