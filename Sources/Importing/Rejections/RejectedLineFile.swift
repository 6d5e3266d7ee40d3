import Foundation
import JSONReading

/// The file of `--rejected`: a line of NDJSON for each line that was rejected.
///
/// A line is written before the commit that its batch belongs to. When an import goes on that was interrupted, lines behind
/// the last commit are dropped first, since they come again. So the file tells each rejected line once.
final class RejectedLineFile {
    private let path: String
    private var descriptor: Int32

    /// - Parameter kept: how many lines of which file are done. All other lines leave the file.
    package init(path: String, keeping kept: [String: Int]) throws(ImportError) {
        self.path = path
        if !kept.isEmpty { try Self.rewrite(path, keeping: kept) }
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (kept.isEmpty ? O_TRUNC : 0), 0o644)
        guard descriptor >= 0 else { throw Self.failure(path) }
    }

    deinit {
        close(descriptor)
    }

    func append(_ rejected: [RejectedLine], file: String) throws(ImportError) {
        guard !rejected.isEmpty else { return }
        var text: [UInt8] = []
        for line in rejected { text.append(contentsOf: line.json(file: file).utf8) }
        try Self.write(text, to: descriptor, path)
    }

    /// Forgets the lines of a file that is read anew after all.
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
        var lines = LineReader()
        let temporary = path + ".part"
        let output = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard output >= 0 else { throw failure(temporary) }
        defer { close(output) }
        while true {
            let piece = try input.next()
            if let piece { lines.append(piece) } else { lines.finish() }
            var text: [UInt8] = []
            do {
                while let line = try lines.next({ line, _ in Array(line) }) {
                    // The end of a line that was being written when the import was killed is no JSON.
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
                throw .unusableInput("\(path) is no file of rejected lines")
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
