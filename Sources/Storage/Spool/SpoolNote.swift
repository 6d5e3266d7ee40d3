import Foundation

/// What a spool's log should hold, noted in a small file beside it: if the end of the log is gone, the note tells how
/// many requests are missing.
///
/// The file has its full size from the beginning, and is overwritten in place, so that notes need no room. Two slots
/// are written in turn, each with a checksum: a torn write leaves the note before. A note follows the commit that it
/// tells of. It is handed to the system at once and synced later (``sync()``), so it may be too low after a crash of
/// the machine, but is never too high: it does not report a request that no sender was answered for.
///
/// Without room for the file, the notes are in memory only.
final class SpoolNote {
    struct Values: Equatable {
        /// The position of the last request that was appended.
        var highest: Int64 = 0
        /// All requests up to this position are in PostgreSQL, or lost.
        var delivered: Int64 = 0
        /// Requests that were not found whole, and that no ``DamagedSpool`` tells of yet.
        var lost: Int64 = 0
    }

    private static let mark: Int64 = 0x31_6C_70_73_62_69_72_74
    private static let slotLength = 64
    /// In different sectors, so that one torn write does not meet both.
    private static let slotDistance = 2048

    private let path: String
    /// Negative if there is no room for the file.
    private var descriptor: Int32 = -1
    private var number: Int64 = 0
    private var isSynced = true
    private(set) var values = Values()
    /// Whether a note was found. If not, nothing is known of the log.
    private(set) var isKnown = false

    init(path: String) {
        self.path = path
        open()
        guard let found = Self.read(path) else { return }
        (values, number, isKnown) = (found.values, found.number, true)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The note in a file that may be another process's; nil if there is none.
    static func values(at path: String) -> Values? { read(path)?.values }

    private func open() {
        guard descriptor < 0, let opened = try? DiskFile.open(path, O_RDWR | O_CREAT) else { return }
        if posix_fallocate(opened, 0, off_t(2 * Self.slotDistance)) == 0 { descriptor = opened } else { close(opened) }
    }

    func update(_ change: (inout Values) -> Void) {
        let former = values
        change(&values)
        guard values != former || number == 0 else { return }
        number += 1
        isSynced = false
        open()
        guard descriptor >= 0 else { return }
        try? DiskFile.write(encoded, to: descriptor, at: Int(number % 2) * Self.slotDistance, path)
    }

    /// It takes as long as a commit.
    func sync() {
        if !isSynced, descriptor >= 0 { fdatasync(descriptor) }
        isSynced = true
    }

    private var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for value in [Self.mark, number, values.highest, values.delivered, values.lost] {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        withUnsafeBytes(of: bytes.withUnsafeBytes { DiskFile.checksum($0) }.littleEndian) {
            bytes.append(contentsOf: $0)
        }
        return bytes + [UInt8](repeating: 0, count: Self.slotLength - bytes.count)
    }

    private static func read(_ path: String) -> (values: Values, number: Int64)? {
        guard let bytes = try? DiskFile.contents(path) else { return nil }
        return [0, slotDistance].compactMap { start -> (values: Values, number: Int64)? in
            guard start + slotLength <= bytes.count else { return nil }
            return bytes.withUnsafeBytes { bytes in
                let value = { (index: Int) in
                    Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 8 * index, as: Int64.self))
                }
                let sum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 40, as: UInt32.self))
                let content = UnsafeRawBufferPointer(rebasing: bytes[start..<start + 40])
                guard value(0) == mark, sum == DiskFile.checksum(content) else { return nil }
                return (Values(highest: value(2), delivered: value(3), lost: value(4)), value(1))
            }
        }.max { $0.number < $1.number }
    }
}
