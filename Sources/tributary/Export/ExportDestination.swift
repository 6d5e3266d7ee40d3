import Cryptography
import Foundation
import Reporting
import Text

/// The output of an export: a file that appears whole, or standard output. Counts and hashes the bytes.
struct ExportDestination: ExportSink {
    /// Nil for standard output.
    let file: WholeFile?
    private(set) var byteCount = 0
    private var hash: SHA256?
    private var progress: Progress

    init(file: WholeFile?, isHashed: Bool, progress: Progress) {
        self.file = file
        hash = isHashed ? SHA256() : nil
        self.progress = progress
    }

    mutating func write(_ text: UnsafeRawBufferPointer, rows: Int) throws {
        if let file {
            try file.write(text)
        } else {
            try StandardOutput.write(text)
        }
        byteCount += text.count
        hash?.update(text)
        progress.show("rows", done: rows, fraction: nil)
    }

    mutating func finishProgress() {
        progress.finish()
    }

    /// The SHA-256 of all bytes written, in hexadecimal.
    var sha256: String {
        hash?.finalize().hexadecimal ?? ""
    }
}
