import Foundation

/// Reads the daemon's log: the address that it listens on, and its last lines.
struct DemoDaemonLog {
    private static let keptLines = 20

    private(set) var address: URL?
    private(set) var lastLines: [String] = []
    private var partialLine: [UInt8] = []

    mutating func append(_ bytes: [UInt8]) {
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                partialLine.append(byte)
                continue
            }
            append(line: String(decoding: partialLine, as: UTF8.self))
            partialLine.removeAll(keepingCapacity: true)
        }
    }

    private mutating func append(line: String) {
        lastLines.append(line)
        if lastLines.count > Self.keptLines { lastLines.removeFirst() }
        let words = line.split(separator: " ")
        // `2026-11-25T06:41:14.120834Z notice listening address=127.0.0.1:41234`
        guard address == nil, words.count > 2, words[2] == "listening" else { return }
        for word in words where word.hasPrefix("address=") {
            address = URL(string: "http://" + word.dropFirst("address=".utf8.count))
        }
    }
}
