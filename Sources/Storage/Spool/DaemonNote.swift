import Foundation

/// What a running daemon says of itself in a file beside its spool, so that `tributary doctor` can ask it.
package struct DaemonNote: Codable, Equatable, Sendable {
    package var process: Int32
    /// Host and port where it listens.
    package var address: String
    package var version: String

    private static let suffix = ".daemon"

    package init(process: Int32, address: String, version: String) {
        self.process = process
        self.address = address
        self.version = version
    }

    /// - Parameter spool: the path of the daemon's spool. The daemon has it open as long as the note holds.
    package func write(beside spool: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(fileURLWithPath: spool + Self.suffix), options: .atomic)
    }

    package static func remove(beside spool: String) {
        try? FileManager.default.removeItem(atPath: spool + suffix)
    }

    /// The notes of the daemons that use a spool folder. The note of a daemon that was killed is left out, because no
    /// process has its spool open.
    package static func all(in folder: String) -> [DaemonNote] {
        let spools = (try? SpoolFolder.spools(in: folder)) ?? []
        return spools.compactMap { spool in
            guard SpoolInspection.isOpen(spool) != false,
                let data = FileManager.default.contents(atPath: spool + suffix)
            else { return nil }
            return try? JSONDecoder().decode(DaemonNote.self, from: data)
        }
    }
}
