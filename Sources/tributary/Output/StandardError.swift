import Foundation

/// Messages to people. Data goes to standard output.
enum StandardError {
    static var isTerminal: Bool { isatty(2) == 1 }

    static func write(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// Overwrites the current line of a terminal.
    static func rewrite(_ line: String) {
        FileHandle.standardError.write(Data(("\r\u{1B}[K" + line).utf8))
    }
}
