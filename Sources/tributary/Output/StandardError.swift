import Foundation

/// Messages to people. Data goes to standard output.
enum StandardError {
    static var isTerminal: Bool { isatty(2) == 1 }

    /// Writes a message. Control characters in it, such as those of a file's name, cannot change the terminal.
    static func write(_ message: String) {
        write(raw: escaped(message) + "\n")
    }

    /// If it cannot be written, there is nobody to tell.
    private static func write(raw text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Writes control characters other than line breaks as `\u{1b}`.
    private static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { escaped, scalar in
            escaped += isControl(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && scalar != "\n"
    }

    /// Overwrites the current line of a terminal.
    static func rewrite(_ line: String) {
        write(raw: "\r\u{1B}[K" + line)
    }
}
