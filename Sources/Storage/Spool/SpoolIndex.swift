import Foundation

/// Where the sound requests of a log are. A request is found by its position, whatever the files are called and in
/// whichever order they hold it: a file that was copied, or a page that was written twice, changes nothing.
struct SpoolIndex {
    /// Records that follow each other in a file, with positions that follow each other.
    struct Run: Equatable {
        var first: Int64
        var last: Int64
        /// Where the first of them begins, and where the last of them ends.
        var offset: Int
        var end: Int
    }

    struct File {
        var name: String
        var runs: [Run] = []
        /// Whether it holds bytes that are no sound record.
        var isDamaged = false

        var last: Int64 { runs.map(\.last).max() ?? 0 }
    }

    /// The file is not as it was when the index was made.
    struct Outdated: Error {}

    private static let suffix = ".log"

    let folder: String
    private(set) var files: [File] = []

    /// Reads all files of the log. Those that vanish meanwhile are left out: they are delivered.
    init(folder: String) throws(DiskFile.Failure) {
        self.folder = folder
        for name in try Self.names(in: folder) {
            var file = File(name: name)
            do {
                try DiskFile.contents("\(folder)/\(name)").withUnsafeBytes { bytes in
                    SpoolRecord.walk(bytes) { record, offset, _ in
                        file.append(record, at: offset)
                        return true
                    } damage: { _ in
                        file.isDamaged = true
                    }
                }
            } catch {
                if error.isMissing { continue }
                file.isDamaged = true
            }
            files.append(file)
        }
    }

    static func name(_ position: Int64) -> String {
        let number = String(position)
        return String(repeating: "0", count: max(0, 19 - number.count)) + number + suffix
    }

    /// The names of the log's files; none if there is no folder.
    static func names(in folder: String) throws(DiskFile.Failure) -> [String] {
        try DiskFile.names(in: folder).filter { $0.hasSuffix(suffix) }.sorted()
    }

    var highest: Int64 { files.map(\.last).max() ?? 0 }

    /// The position before the first request; nil if there is none.
    var start: Int64? { files.flatMap(\.runs).map(\.first).min().map { $0 - 1 } }

    /// Notes a record that was appended to a file.
    mutating func append(_ record: SpoolRecord, to name: String, at offset: Int) {
        if files.last?.name != name {
            let known = files.firstIndex { $0.name == name }
            files.append(known.map { files.remove(at: $0) } ?? File(name: name))
        }
        files[files.count - 1].append(record, at: offset)
    }

    mutating func remove(_ name: String) {
        files.removeAll { $0.name == name }
    }

    mutating func markDamaged(fileOf position: Int64) {
        for index in files.indices where files[index].runs.contains(where: { $0.first...$0.last ~= position }) {
            files[index].isDamaged = true
        }
    }

    /// The number of positions between two others, the last one included, that no file holds.
    func missing(after start: Int64, through end: Int64) -> Int64 {
        var (missing, position) = (Int64(0), start + 1)
        while position <= end {
            guard let run = run(at: position)?.run, run.first <= end else { return missing + end - position + 1 }
            missing += max(0, run.first - position)
            position = run.last + 1
        }
        return missing
    }

    /// The run that holds a position, otherwise the one with the next position.
    private func run(at position: Int64) -> (name: String, run: Run)? {
        var next: (name: String, run: Run)?
        for file in files {
            for run in file.runs where run.last >= position {
                if run.first <= position { return (file.name, run) }
                if run.first < next?.run.first ?? .max { next = (file.name, run) }
            }
        }
        return next
    }

    /// Goes through the sound requests after a position, each position once.
    ///
    /// - Parameter body: ends the walk by returning false.
    /// - Throws: ``Outdated``, and the errors of `body`.
    func walk(
        after start: Int64,
        _ body: (SpoolRecord, _ payload: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        var position = start + 1
        while let (name, run) = run(at: position) {
            position = max(position, run.first)
            let bytes: [UInt8]
            do { bytes = try DiskFile.contents("\(folder)/\(name)", from: run.offset) } catch { throw Outdated() }
            let goesOn = try bytes.withUnsafeBytes { bytes in
                var offset = 0
                for expected in run.first...run.last {
                    guard let record = SpoolRecord(bytes, at: offset), record.position == expected else {
                        throw Outdated()
                    }
                    if expected >= position {
                        guard let payload = record.payload(bytes, headAt: offset) else { throw Outdated() }
                        guard try body(record, payload) else { return false }
                    }
                    offset += SpoolRecord.headLength + record.length
                }
                return true
            }
            guard goesOn else { return }
            position = run.last + 1
        }
    }
}

extension SpoolIndex.File {
    fileprivate mutating func append(_ record: SpoolRecord, at offset: Int) {
        let end = offset + SpoolRecord.headLength + record.length
        if let last = runs.last, last.last + 1 == record.position, last.end == offset {
            runs[runs.count - 1].last = record.position
            runs[runs.count - 1].end = end
        } else {
            runs.append(.init(first: record.position, last: record.position, offset: offset, end: end))
        }
    }
}
