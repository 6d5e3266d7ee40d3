import Foundation
import JSONReading

/// The file of `--rejected`: a line of NDJSON for each rejected line.
///
/// A line is written before its batch is committed. When an interrupted import continues, lines after the last commit
/// are dropped first, because they are written again. So each rejected line stands in the file once. The lines have ids
/// of people, so only the owner may read the file.
final class RejectedLineFile {
    private let path: String
    private var descriptor: Int32

    /// - Parameter kept: for each imported file, its last finished line. Later lines are dropped, and so are other
    ///   files.
    package init(path: String, keeping kept: [String: Int]) throws(ImportError) {
        self.path = path
        if !kept.isEmpty { try Self.rewrite(path, keeping: kept) }
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (kept.isEmpty ? O_TRUNC : 0), 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
        // An older file. Never a device, such as /dev/null.
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { _ = fchmod(descriptor, 0o600) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func append(_ rejected: [RejectedLine], file: String) throws(ImportError) {
        guard !rejected.isEmpty else { return }
        var text: [UInt8] = []
        for line in rejected { text.append(contentsOf: line.json(file: file).utf8) }
        try Self.write(text, to: descriptor, path)
    }

    /// Drops the lines of a file that is read from its beginning again.
    func drop(file: String) throws(ImportError) {
        try Self.rewrite(path, keeping: [:], dropping: file)
        close(descriptor)
        descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path) }
    }

    private static func rewrite(_ path: String, keeping kept: [String: Int], dropping: String? = nil)
        throws(ImportError)
    {
        guard access(path, F_OK) == 0 else { return }
        let input = try ImportInput(path: path)
        var lines = LineReader(file: path)
        let temporary = path + ".part"
        let output = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw failure(temporary) }
        defer { close(output) }
        while true {
            let piece = try input.next()
            if let piece { lines.append(piece) } else { lines.finish() }
            var text: [UInt8] = []
            do {
                while let line = try lines.next({ line, _ in Array(line) }) {
                    // If the import was killed while it wrote a line, the rest of that line is not JSON.
                    guard let root = try? JSONDocument(reading: line).root, let file = root["file"]?.string,
                        let number = root["line"]?.number.flatMap({ Int($0) })
                    else { continue }
                    if let dropping {
                        guard file != dropping else { continue }
                    } else {
                        guard number <= kept[file] ?? 0 else { continue }
                    }
                    text += line
                    text.append(0x0A)
                }
            } catch {
                throw .unusableInput("\(path) is not a file of rejected lines")
            }
            try write(text, to: output, temporary)
            if piece == nil { break }
        }
        guard rename(temporary, path) == 0 else { throw failure(path) }
    }

    private static func write(_ text: [UInt8], to descriptor: Int32, _ path: String) throws(ImportError) {
        var rest = text[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                throw failure(path)
            }
        }
    }

    private static func failure(_ path: String) -> ImportError {
        .unusableInput("the file '\(path)' cannot be written: \(String(cString: strerror(errno)))")
    }
}
