import Events
import Foundation
package import Postgres

/// Reads the spools of a folder from outside, and removes data from them, even while daemons have them open. A daemon
/// waits at most while one file of its log is rewritten.
package struct SpoolFolder: Sendable {
    /// The number of removed items.
    package struct Erasure: Equatable, Sendable {
        package var events = 0
        package var rejections = 0
        /// Requests that could not be read and held data to remove. They were removed whole.
        package var unreadable = 0

        package init() {}
    }

    private let path: String
    private let root: String
    private let identity: DatabaseIdentity

    /// - Parameters:
    ///   - root: in which spools of the database may lie, too, in folders; default, `path`.
    ///   - pool: of the database. Spools of other databases are ignored.
    package init(path: String, root: String? = nil, of pool: PostgresPool) async throws {
        self.path = path
        self.root = root ?? path
        identity = try await pool.withConnection { try DatabaseIdentity.read($0) }
    }

    /// The paths of the spools, sorted by name; none if the folder does not exist.
    static func spools(in path: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasPrefix("spool-") && Int($0.dropFirst("spool-".count)) != nil }
            .sorted()
            .map { "\(path)/\($0)" }
    }

    /// The folders of spools beside one of them: `root`, and those in it that hold spools, sorted by name. They are of
    /// further databases, also of some that are in the settings no more.
    package static func others(than folder: String, in root: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        // The log of a spool lies in a folder, too, but has no spool in it.
        let inner = names.sorted().map { "\(root)/\($0)" }.filter { (try? spools(in: $0))?.isEmpty == false }
        return ([root] + inner).filter { $0 != folder }
    }

    /// - Parameter writing: whether the files are to be changed.
    /// - Throws: `SpoolError.notPermitted` if a file cannot be read, or written.
    package func checkAccess(writing: Bool = true) throws {
        let files = FileManager.default
        if files.fileExists(atPath: path), !files.isReadableFile(atPath: path) {
            throw SpoolError.notPermitted(path: path)
        }
        for spool in try Self.spools(in: path)
        where !files.isReadableFile(atPath: spool) || writing && !files.isWritableFile(atPath: spool) {
            throw SpoolError.notPermitted(path: spool)
        }
    }

    /// Reads every waiting request, in each file the oldest first. Skips requests that cannot be read.
    func forEachSubmission(_ body: (Submission) throws -> Void) throws {
        for spool in try ownSpools() {
            let delivered = SpoolNote.values(at: SpoolLog.notePath(spool))?.delivered ?? 0
            for file in try Self.files(of: spool) {
                try Self.contents(file).withUnsafeBytes { bytes in
                    try SpoolRecord.walk(bytes) { record, _, payload in
                        if record.position > delivered, let submission = try? SubmissionJSON.decode(payload) {
                            try body(submission)
                        }
                        return true
                    }
                }
            }
        }
    }

    /// Removes data from requests and leaves no trace of it in the files.
    ///
    /// - Parameters:
    ///   - edit: removes the data from a request.
    ///   - isDoomed: whether a request that cannot be read holds such data.
    func erase(
        _ edit: @escaping (inout Submission) -> Void,
        isDoomed: @escaping ([UInt8]) -> Bool
    ) throws -> Erasure {
        var erasure = Erasure()
        for spool in try ownSpools() {
            let delivered = SpoolNote.values(at: SpoolLog.notePath(spool))?.delivered ?? 0
            let edition = SpoolEdition(delivered: delivered, edit: edit, isDoomed: isDoomed)
            for file in try Self.files(of: spool) + [SpoolLog.unreadablePath(spool)] {
                // Found before the folder is locked, so that daemons seldom wait.
                guard edition.changes(try Self.contents(file), isUnreadable: Self.isUnreadable(file)) != nil else {
                    continue
                }
                try Self.translatingErrors {
                    let folder = try DiskFile.open(spool, O_RDONLY | O_DIRECTORY)
                    defer { close(folder) }
                    try Self.locked(folder, spool, for: 30) {
                        // The file may be longer now, or delivered and gone.
                        let bytes = try Self.contents(file)
                        guard let new = edition.changes(bytes, isUnreadable: Self.isUnreadable(file)) else { return }
                        try DiskFile.replace(file, with: new.bytes)
                        erasure.events += new.erasure.events
                        erasure.rejections += new.erasure.rejections
                        erasure.unreadable += new.erasure.unreadable
                    }
                }
            }
        }
        return erasure
    }

    private static func isUnreadable(_ file: String) -> Bool { !file.hasSuffix(".log") }

    private func ownSpools() throws -> [String] {
        let own = try Self.spools(in: path).filter { spool in
            // Without a sound note of the database, the requests may be this one's.
            let origin = try? Spool.origin(of: spool)
            return origin == nil || origin == identity
        }
        let others = try Self.others(than: path, in: root).flatMap { try Self.spools(in: $0) }
        return own + others.filter { (try? Spool.origin(of: $0)) == identity }
    }

    private static func files(of spool: String) throws -> [String] {
        try translatingErrors { try SpoolIndex.names(in: spool).map { "\(spool)/\($0)" } }
    }

    /// Empty if the file is gone.
    private static func contents(_ file: String) throws -> [UInt8] {
        do {
            return try DiskFile.contents(file)
        } catch  where error.isMissing {
            return []
        } catch {
            throw translated(error)
        }
    }

    private static func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw translated(error) }
    }

    private static func translated(_ error: any Error) -> any Error {
        guard let error = error as? DiskFile.Failure else { return error }
        return error.isForbidden ? SpoolError.notPermitted(path: error.path) : SpoolError.unusable("\(error)")
    }

    /// Runs `body` while no other process changes the files of a spool.
    ///
    /// - Parameters:
    ///   - folder: the spool's open folder.
    ///   - seconds: how long to wait.
    static func locked<Value>(_ folder: Int32, _ path: String, for seconds: Int, _ body: () throws -> Value) throws
        -> Value
    {
        let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
        while flock(folder, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw DiskFile.Failure(path) }
            guard ContinuousClock.now < deadline else {
                throw SpoolError.unusable("\(path): another process has been changing it for \(seconds) s")
            }
            usleep(2_000)
        }
        defer { flock(folder, LOCK_UN) }
        return try body()
    }
}

/// What a deletion leaves of a file of the log.
private struct SpoolEdition {
    /// What was delivered up to here goes too, and is not counted.
    var delivered: Int64
    var edit: (inout Submission) -> Void
    var isDoomed: ([UInt8]) -> Bool

    /// - Parameter isUnreadable: whether the file holds requests that were set aside. Otherwise no position is left
    ///   out: one that is missing is a sign of damage.
    /// - Returns: the new content, and what was removed; nil if nothing is to be removed.
    func changes(_ bytes: [UInt8], isUnreadable: Bool) -> (bytes: [UInt8], erasure: SpoolFolder.Erasure)? {
        var (new, erasure, hasChanged) = ([UInt8](), SpoolFolder.Erasure(), false)
        new.reserveCapacity(bytes.count)
        var copied = 0
        bytes.withUnsafeBytes { file in
            SpoolRecord.walk(file) { record, offset, payload in
                let end = offset + SpoolRecord.headLength + record.length
                guard let edited = edited(record, payload, &erasure) else { return true }
                hasChanged = true
                new += bytes[copied..<offset]
                copied = end
                if !isUnreadable {
                    let payload = SubmissionJSON.encode(edited)
                    SpoolRecord(
                        position: record.position,
                        events: edited.events.count,
                        receivedAt: record.receivedAt,
                        payload: payload
                    ).append(to: &new, payload: payload)
                }
                return true
            } damage: { range in
                // A damaged request may hold the data too.
                guard isDoomed(Array(bytes[range])) else { return }
                hasChanged = true
                erasure.unreadable += 1
                if range.lowerBound > copied { new += bytes[copied..<range.lowerBound] }
                copied = max(copied, range.upperBound)
            }
        }
        new += bytes[copied...]
        return hasChanged ? (new, erasure) : nil
    }

    /// The request as it is to be; nil if it stays as it is.
    private func edited(
        _ record: SpoolRecord,
        _ payload: UnsafeRawBufferPointer,
        _ erasure: inout SpoolFolder.Erasure
    ) -> Submission? {
        guard let submission = try? SubmissionJSON.decode(payload) else {
            guard isDoomed(Array(payload)) else { return nil }
            erasure.unreadable += 1
            return SubmissionJSON.nothing
        }
        var edited = submission
        edit(&edited)
        guard edited != submission else { return nil }
        if record.position > delivered {
            erasure.events += submission.events.count - edited.events.count
            erasure.rejections += submission.rejections.count - edited.rejections.count
        }
        let isEmpty = edited.events.isEmpty && edited.rejections.isEmpty
        return isEmpty ? SubmissionJSON.nothing : edited
    }
}
