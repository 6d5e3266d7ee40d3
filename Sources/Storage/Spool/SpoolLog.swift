import Foundation

/// The files of a spool: a folder with a log of requests, in files of some mebibytes, and a ``SpoolNote``. A file is
/// deleted when all its requests are delivered.
///
/// `tributary` may rewrite files meanwhile (``SpoolFolder``); the folder is locked while one of them is changed. Not
/// safe for several threads: ``Spool`` guards it.
final class SpoolLog {
    struct Entry: Sendable {
        var payload: [UInt8]
        var events: Int
        var receivedAt: Int64
    }

    /// What became of requests that need not be delivered any more.
    struct Passage {
        /// Requests that were not found whole.
        var lost: Int64 = 0
        /// Why a file cannot be deleted.
        var failure: (any Error)?
    }

    /// The file that requests are appended to.
    private struct Tail {
        var name: String
        var descriptor: Int32
        var size: Int
    }

    /// 8 MiB.
    static let defaultFileBytes = 8 << 20
    private static let unreadableName = "unreadable"

    let path: String
    /// Bytes from which on the log goes on in another file.
    private let fileBytes: Int
    let note: SpoolNote
    private(set) var index: SpoolIndex
    private(set) var depth = SpoolDepth()
    /// The number of requests that were set aside because they cannot be read.
    private(set) var unreadable = 0
    /// No request gets a position up to this one.
    private var highest: Int64
    private var tail: Tail?
    /// Negative if there is no room for the folder.
    private var folder: Int32 = -1
    /// When a file of the folder was last created, deleted or replaced by this process.
    private var changedAt = timespec()

    /// - Throws: `DiskFile.Failure`.
    init(path: String, fileBytes: Int = SpoolLog.defaultFileBytes) throws {
        self.path = path
        self.fileBytes = fileBytes
        do { try DiskFile.makeFolder(path) } catch { guard error.isFull else { throw error } }
        note = SpoolNote(path: Self.notePath(path))
        index = try SpoolIndex(folder: path)
        highest = max(note.values.highest, index.highest)
        try? openFolder()
        // Without a note, whatever is there is delivered, maybe again.
        if !note.isKnown { note.update { $0.delivered = index.start ?? 0 } }
        note.update { $0.highest = highest }
        unreadable = Self.unreadable(in: path).count
        // What a killed process has left.
        try? locked {
            let left = try DiskFile.names(in: path).filter { $0.hasSuffix(DiskFile.newSuffix) }
            for name in left { unlink("\(path)/\(name)") }
        }
        remember()
        try reading { try count() }
        settle()
    }

    deinit {
        closeTail()
        if folder >= 0 { close(folder) }
    }

    static func notePath(_ path: String) -> String { path + "/note" }
    static func unreadablePath(_ path: String) -> String { "\(path)/\(unreadableName)" }

    var cursor: Int64 { note.values.delivered }
    var hasFolder: Bool { folder >= 0 }
    /// Requests that no file holds, though they were not delivered.
    var missing: Int64 { index.missing(after: cursor, through: note.values.highest) }

    private func openFolder() throws(DiskFile.Failure) {
        var status = stat()
        if folder >= 0 {
            // Somebody may have deleted it.
            guard fstat(folder, &status) == 0, status.st_nlink == 0 else { return }
            close(folder)
            folder = -1
        }
        try DiskFile.makeFolder(path)
        folder = try DiskFile.open(path, O_RDONLY | O_DIRECTORY)
    }

    // MARK: - Reading

    /// Runs `body` with an index that fits the files.
    private func reading<Value>(_ body: () throws -> Value) throws -> Value {
        if hasChanged { try readAgain() }
        for _ in 0..<3 {
            do { return try body() } catch is SpoolIndex.Outdated { try readAgain() }
        }
        return try body()
    }

    /// Reads all files again, and counts what waits in them.
    func readAgain() throws {
        remember()
        index = try SpoolIndex(folder: path)
        highest = max(highest, index.highest)
        note.update { $0.highest = max($0.highest, index.highest) }
        unreadable = Self.unreadable(in: path).count
        do { try count() } catch is SpoolIndex.Outdated {}
    }

    private func count() throws {
        depth = try waiting(through: .max).depth
    }

    /// What waits up to a position, and when the first request behind it was received; nil if there is none.
    private func waiting(through end: Int64) throws -> (depth: SpoolDepth, next: Int64?) {
        var (depth, next) = (SpoolDepth(), Int64?.none)
        try index.walk(after: cursor) { record, _ in
            guard record.position <= end else {
                next = record.receivedAt
                return false
            }
            depth.append(bytes: record.length, events: record.events, at: record.receivedAt)
            return true
        }
        return (depth, next)
    }

    /// The payloads after a position, with their positions: at least one if any waits.
    func payloads(after start: Int64, events: Int, bytes: Int) throws -> [(position: Int64, payload: [UInt8])] {
        try reading {
            var payloads: [(position: Int64, payload: [UInt8])] = []
            var (eventCount, byteCount) = (0, 0)
            try index.walk(after: max(start, cursor)) { record, payload in
                payloads.append((record.position, Array(payload)))
                eventCount += max(record.events, 1)
                byteCount += record.length
                return eventCount < events && byteCount < bytes
            }
            return payloads
        }
    }

    // MARK: - Appending

    /// Appends requests and syncs them.
    func append(_ entries: [Entry]) throws {
        try locked {
            if hasChanged { try readAgain() }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(entries.reduce(0) { $0 + $1.payload.count + SpoolRecord.headLength })
            var records: [(record: SpoolRecord, offset: Int)] = []
            for (number, entry) in entries.enumerated() {
                let record = SpoolRecord(
                    position: highest + 1 + Int64(number),
                    events: entry.events,
                    receivedAt: entry.receivedAt,
                    payload: entry.payload
                )
                records.append((record, bytes.count))
                record.append(to: &bytes, payload: entry.payload)
            }
            let file = try openTail()
            do {
                try DiskFile.write(bytes, to: file.descriptor, at: file.size, file.name)
                guard fdatasync(file.descriptor) == 0 else { throw DiskFile.Failure(file.name) }
                if file.size == 0, fsync(folder) != 0 { throw DiskFile.Failure(path) }
            } catch {
                abandonTail(file, entries.count)
                throw error
            }
            for (record, offset) in records {
                index.append(record, to: file.name, at: file.size + offset)
                depth.append(bytes: record.length, events: record.events, at: record.receivedAt)
            }
            tail?.size += bytes.count
            highest += Int64(entries.count)
            note.update { $0.highest = highest }
        }
    }

    /// The file to append to, as it was left. If somebody has changed or replaced it, or if it is long, a new one.
    private func openTail() throws -> Tail {
        if let tail {
            var (status, named) = (stat(), stat())
            if tail.size < fileBytes, fstat(tail.descriptor, &status) == 0, Int(status.st_size) == tail.size,
                stat("\(path)/\(tail.name)", &named) == 0, named.st_ino == status.st_ino
            {
                return tail
            }
            closeTail()
        }
        var number = highest + 1
        while true {
            let name = SpoolIndex.name(number)
            do {
                let descriptor = try DiskFile.open("\(path)/\(name)", O_WRONLY | O_CREAT | O_EXCL)
                remember()
                let opened = Tail(name: name, descriptor: descriptor, size: 0)
                tail = opened
                return opened
            } catch {
                // A file of that name may hold requests, whichever they are.
                guard error.code == EEXIST else { throw error }
                number += 1
            }
        }
    }

    /// After a failed write, nobody knows what of it is on the disk. The next append goes to another file.
    private func abandonTail(_ file: Tail, _ count: Int) {
        let isCut = ftruncate(file.descriptor, off_t(file.size)) == 0
        closeTail()
        if file.size == 0 {
            unlink("\(path)/\(file.name)")
            remember()
        } else if !isCut {
            // Some of the requests may stay in the file. No other may get their positions.
            highest += Int64(count)
        }
    }

    private func closeTail() {
        if let tail { close(tail.descriptor) }
        tail = nil
    }

    /// Tries to write so many bytes.
    func probe(_ bytes: Int) throws {
        try openFolder()
        try DiskFile.replace(path + "/probe", with: [UInt8](repeating: 0, count: bytes))
        unlink(path + "/probe")
        remember()
    }

    // MARK: - Removing

    /// Notes that requests need no delivery any more, and deletes the files that hold no others.
    @discardableResult
    func pass(through position: Int64) throws -> Passage {
        guard position > cursor else { return Passage() }
        let lost = try reading {
            let (passed, next) = try waiting(through: position)
            depth.remove(passed, oldestLeft: next)
            return index.missing(after: cursor, through: min(position, note.values.highest))
        }
        note.update { note in
            note.delivered = position
            note.lost += lost
        }
        return Passage(lost: lost, failure: settle())
    }

    /// Deletes the files whose requests are all delivered. One that lacked requests is kept as a ``DamagedSpool``.
    ///
    /// - Returns: why that failed.
    @discardableResult
    private func settle() -> (any Error)? {
        let done = index.files.filter(isDone)
        guard !done.isEmpty || note.values.lost > 0 else { return nil }
        // Otherwise, after a crash, the deleted requests would look like missing ones.
        note.sync()
        do {
            try locked {
                for file in done {
                    let path = "\(path)/\(file.name)"
                    if file.isDamaged, note.values.lost > 0 {
                        try DamagedSpool.setAside(path, of: self.path, lost: note.values.lost)
                        note.update { $0.lost = 0 }
                    } else if unlink(path) != 0, errno != ENOENT {
                        throw DiskFile.Failure(path)
                    }
                    if file.name == tail?.name { closeTail() }
                    index.remove(file.name)
                }
                // Requests of a file that is gone.
                if note.values.lost > 0, !index.files.contains(where: \.isDamaged) {
                    try DamagedSpool.setAside(nil, of: path, lost: note.values.lost)
                    note.update { $0.lost = 0 }
                }
                remember()
            }
            return nil
        } catch {
            return error
        }
    }

    /// Whether all requests of a file are delivered. Those of its damaged part may be behind its last sound one.
    private func isDone(_ file: SpoolIndex.File) -> Bool {
        if cursor >= note.values.highest { return true }
        if file.runs.isEmpty { return note.values.lost > 0 }
        return file.isDamaged ? file.last < cursor : file.last <= cursor
    }

    /// Passes a request that cannot be read, and keeps it.
    func setAside(_ position: Int64, _ payload: [UInt8]) throws -> Passage {
        var passage = Passage()
        do {
            let record = SpoolRecord(position: position, events: 0, receivedAt: 0, payload: payload)
            var bytes = (try? DiskFile.contents(Self.unreadablePath(path))) ?? []
            record.append(to: &bytes, payload: payload)
            try DiskFile.replace(Self.unreadablePath(path), with: bytes)
            unreadable += 1
            remember()
        } catch {
            // The disk is full or fails. The file is kept whole instead.
            index.markDamaged(fileOf: position)
            note.update { $0.lost += 1 }
            passage.lost = 1
        }
        let rest = try pass(through: position)
        return Passage(lost: passage.lost + rest.lost, failure: rest.failure)
    }

    /// The payloads of the requests that were set aside.
    static func unreadable(in path: String) -> [[UInt8]] {
        guard let bytes = try? DiskFile.contents(unreadablePath(path)) else { return [] }
        var payloads: [[UInt8]] = []
        bytes.withUnsafeBytes { bytes in
            SpoolRecord.walk(bytes) { _, _, payload in
                payloads.append(Array(payload))
                return true
            }
        }
        return payloads
    }

    /// Appends the set-aside requests that can be read now to the waiting ones.
    ///
    /// - Parameter read: nil if a payload cannot be read.
    func takeBackUnreadable(_ read: ([UInt8]) -> Entry?) throws {
        let payloads = Self.unreadable(in: path)
        let entries = payloads.compactMap(read)
        guard !entries.isEmpty else { return }
        try append(entries)
        var bytes: [UInt8] = []
        let left = payloads.filter { read($0) == nil }
        for (number, payload) in left.enumerated() {
            SpoolRecord(position: Int64(number + 1), events: 0, receivedAt: 0, payload: payload)
                .append(to: &bytes, payload: payload)
        }
        try DiskFile.replace(Self.unreadablePath(path), with: bytes)
        unreadable = left.count
        remember()
    }

    // MARK: - Other processes

    /// Locks the folder against ``SpoolFolder``.
    private func locked<Value>(_ body: () throws -> Value) throws -> Value {
        try openFolder()
        return try SpoolFolder.locked(folder, path, for: 10, body)
    }

    /// Whether another process has replaced a file.
    private var hasChanged: Bool {
        let time = folderTime
        return time.tv_sec != changedAt.tv_sec || time.tv_nsec != changedAt.tv_nsec
    }

    private func remember() {
        changedAt = folderTime
    }

    private var folderTime: timespec {
        var status = stat()
        guard folder >= 0, fstat(folder, &status) == 0 else { return timespec() }
        return status.st_mtim
    }
}
