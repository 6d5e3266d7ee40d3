import Foundation
import RandomTesting
import Storage

/// The files of the daemons' spools: damages them while no daemon runs, and reads what the daemons report of it.
struct SpoolFiles: Sendable {
    let folder: String

    private static let page = 4096

    /// Damages one file, or the log of one.
    ///
    /// - Returns: what was done; nil if no file holds anything.
    func damageOne(_ random: inout SeededRandom) throws -> String? {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { name in
            name.hasPrefix("spool-") && (name.hasSuffix(".sqlite") || name.hasSuffix(".sqlite-wal"))
        }
        let files = names.map { "\(folder)/\($0)" }.filter { (Self.size($0) ?? 0) > Self.page }
        guard !files.isEmpty else { return nil }
        let path = random.pick(files)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let page = place / Self.page * Self.page..<min((place / Self.page + 1) * Self.page, bytes.count)
        let way: String
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            way = "a bit flipped"
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1:
            way = "a page zeroed"
            bytes.resetBytes(in: page)
        case 2:
            way = "a page overwritten"
            for index in page { bytes[index] = UInt8.random(in: .min ... .max, using: &random) }
        default:
            way = "cut off"
            bytes = bytes.prefix(place)
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        return "\(URL(fileURLWithPath: path).lastPathComponent): \(way) at \(place)"
    }

    /// Whether the sound requests of all damaged files are delivered.
    var areSalvaged: Bool { DamagedSpool.all(in: folder).allSatisfy { $0.lost != nil } }

    /// The number of requests that the daemons report as lost: missing in damaged files, or set aside.
    func reportedLost() throws -> Int {
        let missing = DamagedSpool.all(in: folder).reduce(0) { $0 + ($1.lost ?? 0) }
        return try SpoolInspection.all(in: folder).reduce(missing) { $0 + $1.unreadable }
    }

    private static func size(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }
}
