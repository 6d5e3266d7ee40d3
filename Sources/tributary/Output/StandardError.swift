import Foundation
import Text

/// Messages to people. Data goes to standard output.
enum StandardError {
    static var isTerminal: Bool { isatty(2) == 1 }

    /// Writes a message. Control characters in it, such as those of a file's name, cannot change the terminal.
    static func write(_ message: String) {
        write(raw: message.escapingControls(keepsLines: true) + "\n")
    }

    /// If it cannot be written, there is nobody to tell.
    private static func write(raw text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Overwrites the current line of a terminal.
    static func rewrite(_ line: String) {
        write(raw: "\r\u{1B}[K" + line)
    }
}
