import Cryptography
import Foundation
import Synchronization

/// What a spool's file should hold, noted in a small file beside it. If the spool's file is damaged, the ledger tells
/// how many requests are missing. If the disk is full, it notes what was delivered and cannot be removed.
///
/// The file has its full size from the beginning, and is overwritten in place, so that notes need no room. Two slots
/// are written in turn, each with a checksum: a torn write leaves the note before. A note follows the commit that it
/// tells of. It is handed to the system at once and synced later (``sync()``), so it may be too low after a crash of
/// the machine, but is never too high: it does not report a request that no sender was answered for.
///
/// Without room for the file, the notes are in memory only.
final class SpoolLedger: Sendable {
    struct Note: Equatable, Sendable {
        /// The position of the last request that was appended.
        var highest: Int64 = 0
        /// All requests up to this position are in PostgreSQL.
        var delivered: Int64 = 0
        /// The database that the requests belong to, if it is known.
        var origin: DatabaseIdentity?
        /// Up to this position, requests may be missing from the file for other reasons than damage: version 0.1.0 kept
        /// no ledger.
        var base: Int64 = 0
        /// Of a damaged file: its sound requests are in PostgreSQL, and so many others were not found.
        var lost: Int64?

        /// The number of requests that wait in the file, or more, if a deletion has removed some of them.
        var waiting: Int64 { max(0, highest - delivered) }
    }

    private struct State {
        var note: Note
        var number: UInt64
        var isSynced = true
    }

    private static let magic = Array("tribspl1".utf8)
    private static let slotLength = 256
    /// In different sectors, so that one torn write does not meet both.
    private static let slotDistance = 2048
    private static let originLength = 191

    let path: String
    /// Negative if the file cannot be used.
    private let descriptor: Int32
    private let state: Mutex<State>
    /// Whether a note was found. If not, nothing is known of the spool's file.
    let isKnown: Bool

    init(path: String) {
        self.path = path
        var descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        var found: (note: Note, number: UInt64)?
        if descriptor >= 0 {
            found = Self.read(descriptor)
            if posix_fallocate(descriptor, 0, off_t(2 * Self.slotDistance)) != 0 {
                close(descriptor)
                descriptor = -1
            }
        }
        self.descriptor = descriptor
        isKnown = found != nil
        state = Mutex(State(note: found?.note ?? Note(), number: found?.number ?? 0))
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The note in a ledger that may be another process's; nil if there is none.
    static func note(at path: String) -> Note? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return read(descriptor)?.note
    }

    var note: Note { state.withLock { $0.note } }

    func update(_ change: (inout Note) -> Void) {
        state.withLock { state in
            let former = state.note
            change(&state.note)
            guard state.note != former || state.number == 0 else { return }
            state.number += 1
            state.isSynced = false
            guard descriptor >= 0 else { return }
            let slot = Self.encode(state.note, state.number)
            let offset = off_t(Int(state.number % 2) * Self.slotDistance)
            _ = slot.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) }
        }
    }

    /// Call it now and then: it takes as long as a commit.
    func sync() {
        let isDue = state.withLock { state in
            defer { state.isSynced = true }
            return !state.isSynced
        }
        if isDue, descriptor >= 0 { fdatasync(descriptor) }
    }

    private static func encode(_ note: Note, _ number: UInt64) -> [UInt8] {
        var bytes = magic
        for value in [Int64(bitPattern: number), note.highest, note.delivered, note.base, note.lost ?? -1] {
            withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        }
        let origin = Array((note.origin?.text ?? "").utf8.prefix(originLength))
        bytes.append(UInt8(origin.count))
        bytes += origin + [UInt8](repeating: 0, count: originLength - origin.count)
        return bytes + SHA256.hash(bytes).prefix(16)
    }

    private static func read(_ descriptor: Int32) -> (note: Note, number: UInt64)? {
        (0...1).compactMap { index in
            var bytes = [UInt8](repeating: 0, count: slotLength)
            let offset = off_t(index * slotDistance)
            let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, offset) }
            return count == slotLength ? decode(bytes) : nil
        }.max { $0.number < $1.number }
    }

    private static func decode(_ bytes: [UInt8]) -> (note: Note, number: UInt64)? {
        let (content, sum) = (bytes.dropLast(16), bytes.suffix(16))
        guard bytes.starts(with: magic), sum.elementsEqual(SHA256.hash(content).prefix(16)) else {
            return nil
        }
        func value(_ index: Int) -> Int64 {
            let start = magic.count + 8 * index
            return Int64(bitPattern: content[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) })
        }
        let lengthAt = magic.count + 40
        let origin = content[(lengthAt + 1)...].prefix(Int(content[lengthAt]))
        let note = Note(
            highest: value(1),
            delivered: value(2),
            origin: origin.isEmpty ? nil : DatabaseIdentity(text: String(decoding: origin, as: UTF8.self)),
            base: value(3),
            lost: value(4) < 0 ? nil : value(4)
        )
        return (note, UInt64(bitPattern: value(0)))
    }
}
