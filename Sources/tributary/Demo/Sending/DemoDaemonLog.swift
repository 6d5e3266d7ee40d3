import Foundation

/// Reads the daemon's log: the address that it listens on, and its last lines.
struct DemoDaemonLog {
    private static let keptLines = 20

    private(set) var lastLines: [String] = []
    private var partialLine: [UInt8] = []

    /// - Returns: the address, if a line of the piece names it.
    mutating func append(_ piece: Data) -> URL? {
        var lines = (partialLine + piece).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        partialLine = Array(lines.removeLast())
        let texts = lines.map { String(decoding: $0, as: UTF8.self) }
        lastLines = (lastLines + texts).suffix(Self.keptLines)
        // `2026-11-25T06:41:14.120834Z notice listening address=127.0.0.1:41234`
        let word = texts.first { $0.contains(" listening ") }?.firstMatch(of: /address=(\S+)/)?.1
        return word.flatMap { URL(string: "http://" + $0) }
    }
}
