package import Events
import Foundation
import Time

/// A damaged spool file that was set aside. It is never deleted or changed: `damaged-TIME-spool-N.sqlite`, its log with
/// `-wal`, and its ledger with `.ledger`.
package struct DamagedSpool: Sendable {
    /// What became of the requests.
    package struct Outcome: Equatable, Sendable {
        package var delivered = 0
        /// Requests that were not found whole.
        package var lost = 0
        /// Whether the ledger told which requests there should be. If not, more may be lost.
        package var isComplete = true
    }

    private static let prefix = "damaged-"
    private static let log = "-wal"
    /// Events of a group that is delivered at once, and bytes.
    private static let groupEvents = 5_000
    private static let groupBytes = 8 << 20

    package let path: String
    /// The number of requests that were not found whole; nil while the file has not been salvaged.
    package var lost: Int?

    /// The damaged files of a folder, the oldest first; none if the folder cannot be read.
    package static func all(in folder: String) -> [DamagedSpool] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files = names.filter { $0.hasPrefix(prefix) }.map { name in
            [log, ".ledger"].first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) } ?? name
        }
        return Set(files).sorted().map { file in
            let path = "\(folder)/\(file)"
            let lost = SpoolLedger.note(at: SpoolFile.ledgerPath(path))?.lost
            return DamagedSpool(path: path, lost: lost.map { Int(clamping: $0) })
        }
    }

    /// Renames the files of a spool. That needs no room.
    ///
    /// The ledger comes last: a crash in between leaves a spool without a file, and the next call completes its record.
    static func setAside(_ path: String) throws(SpoolError) -> DamagedSpool {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent().path
        let time = Timestamp.now.rfc3339.filter { $0 != "-" && $0 != ":" }
        var aside = "\(folder)/\(prefix)\(time)-\(url.lastPathComponent)"
        let files = FileManager.default
        if !files.fileExists(atPath: path), !files.fileExists(atPath: path + log),
            let incomplete = all(in: folder).last(where: {
                $0.path.hasSuffix("-" + url.lastPathComponent)
                    && !files.fileExists(atPath: SpoolFile.ledgerPath($0.path))
            })
        {
            aside = incomplete.path
        }
        for (file, target) in [
            (path, aside), (path + log, aside + log), (SpoolFile.ledgerPath(path), SpoolFile.ledgerPath(aside)),
        ] where files.fileExists(atPath: file) {
            guard rename(file, target) == 0 else {
                throw .unusable("\(file) is damaged and cannot be renamed: \(String(cString: strerror(errno)))")
            }
        }
        // Only an index of the log. With another log, it would be wrong.
        unlink(path + "-shm")
        return DamagedSpool(path: aside, lost: nil)
    }

    /// Hands over the requests that are sound, unless another process is doing so. They come in no certain order, and
    /// again if a former call has failed: the writer stores each event once.
    ///
    /// - Parameters:
    ///   - identity: of the database. Requests of another one are left alone.
    ///   - deliver: returns when the requests are stored.
    /// - Returns: nil if the requests are not for this database, or if another process has them.
    package func salvage(
        of identity: DatabaseIdentity,
        _ deliver: ([Submission]) async throws -> Void
    ) async throws -> Outcome? {
        let ledgerPath = SpoolFile.ledgerPath(path)
        guard let lock = try FileLock(path: ledgerPath) else { return nil }
        defer { withExtendedLifetime(lock) {} }
        let ledger = SpoolLedger(path: ledgerPath)
        let note = ledger.note
        guard note.lost == nil, try isOf(identity, ledger) else { return nil }
        var outcome = Outcome(isComplete: ledger.isKnown)
        var found: Set<Int64> = []
        var group: [Submission] = []
        var (events, bytes) = (0, 0)
        let pages = SpoolPages(path: path)
        for page in pages.indices {
            let rows = pages.rows(page) { row in
                row.position > note.delivered && !found.contains(row.position) && SubmissionCoding.isSealed(row.blob)
            }
            for row in rows where !found.contains(row.position) {
                guard let submission = try? SubmissionCoding.decode(row.blob) else { continue }
                found.insert(row.position)
                group.append(submission)
                events += submission.events.count
                bytes += row.blob.count
                if events >= Self.groupEvents || bytes >= Self.groupBytes {
                    try await deliver(group)
                    (group, events, bytes) = ([], 0, 0)
                }
            }
        }
        if !group.isEmpty { try await deliver(group) }
        outcome.delivered = found.count
        let expected = ledger.isKnown ? note.highest : found.max() ?? 0
        let first = ledger.isKnown ? note.delivered : (found.min() ?? 1) - 1
        outcome.lost = max(0, Int(expected - first) - found.count { $0 <= expected })
        ledger.update { $0.lost = Int64(outcome.lost) }
        ledger.sync()
        return outcome
    }

    /// Without a ledger, the file belongs to the database of the other spools in the folder.
    private func isOf(_ identity: DatabaseIdentity, _ ledger: SpoolLedger) throws -> Bool {
        if ledger.isKnown { return ledger.note.origin == nil || ledger.note.origin == identity }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return try SpoolInspection.all(in: folder).allSatisfy { $0.origin == nil || $0.origin == identity }
    }
}
