import Foundation
import RandomTesting
import Storage

/// The files of the daemons' spools: damages them while no daemon runs, and reads what the daemons report of it.
struct SpoolFiles: Sendable {
    let folder: String

    private static let page = 4096

    /// Damages a file of a log, or the note beside it.
    ///
    /// - Returns: what was done; nil if no file holds anything.
    func damageOne(_ random: inout SeededRandom) throws -> String? {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().filter { name in
            name.hasPrefix("spool-") && (name.hasSuffix(".log") || name.hasSuffix("/note"))
        }
        let files = names.filter { (Self.size("\(folder)/\($0)") ?? 0) > 0 }
        guard files.contains(where: { $0.hasSuffix(".log") }) else { return nil }
        let name = random.pick(files)
        let url = URL(fileURLWithPath: "\(folder)/\(name)")
        var bytes = try Data(contentsOf: url)
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let page = place / Self.page * Self.page..<min((place / Self.page + 1) * Self.page, bytes.count)
        let way: String
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
            way = "a bit flipped"
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1:
            way = "a page zeroed"
            bytes.resetBytes(in: page)
        case 2:
            way = "a page overwritten"
            for index in page { bytes[index] = UInt8.random(in: .min ... .max, using: &random) }
        case 3:
            way = "copied, from here on"
            bytes += bytes[place...]
        case 4:
            way = "a byte removed"
            bytes.remove(at: place)
        case 5:
            try FileManager.default.removeItem(at: url)
            return "\(name): removed"
        default:
            way = "cut off"
            bytes = bytes.prefix(place)
        }
        try bytes.write(to: url)
        return "\(name): \(way) at \(place)"
    }

    /// Whether the daemons have reported all that is missing.
    var areSettled: Bool {
        (try? SpoolInspection.all(in: folder).allSatisfy { $0.damage == nil }) ?? false
    }

    /// The number of requests that the daemons report as lost: missing in damaged files, or set aside.
    func reportedLost() throws -> Int {
        let missing = DamagedSpool.all(in: folder).reduce(0) { $0 + $1.lost }
        return try SpoolInspection.all(in: folder).reduce(missing) { $0 + $1.unreadable }
    }

    private static func size(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }
}
