import Foundation

/// A file that appears whole or not at all: it is written aside, for its owner only, and renamed in the end.
final class WholeFile: @unchecked Sendable {
    private let path: String
    private let draft: String
    /// Guard of `@unchecked Sendable`: one caller at a time writes.
    private let handle: FileHandle
    private var waiting: [UInt8] = []

    /// - Throws: `CommandFailure` where there is no such folder, or it is another's.
    init(path: String) throws {
        self.path = path
        draft = "\(path).\(ProcessInfo.processInfo.processIdentifier).partial"
        guard FileManager.default.createFile(atPath: draft, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: draft)
        else {
            throw CommandFailure(
                .usage,
                "--output: the file '\(path)' cannot be written; is its folder there, and yours?"
            )
        }
        self.handle = handle
    }

    func write(line: String) throws {
        waiting += line.utf8
        waiting.append(UInt8(ascii: "\n"))
        if waiting.count > 1 << 16 { try flush() }
    }

    /// Makes it appear.
    func finish() throws {
        try flush()
        try handle.synchronize()
        try handle.close()
        guard rename(draft, path) == 0 else {
            throw CommandFailure(.usage, "--output: '\(path)' cannot be replaced: \(String(cString: strerror(errno)))")
        }
    }

    /// Leaves nothing behind.
    func discard() {
        try? handle.close()
        unlink(draft)
    }

    private func flush() throws {
        do {
            try handle.write(contentsOf: Data(waiting))
        } catch {
            throw CommandFailure(.badData, "'\(path)' cannot be written: \(error.localizedDescription)")
        }
        waiting.removeAll(keepingCapacity: true)
    }
}
