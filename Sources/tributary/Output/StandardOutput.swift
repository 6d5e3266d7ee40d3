import ArgumentParser
import Reporting
import Text

#if canImport(Darwin)
    @preconcurrency import Darwin
#elseif canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#endif

/// Data for people and programs. Messages go to standard error.
///
/// `print` does not say that nothing was written, so the program asks with ``flush()`` before it ends.
enum StandardOutput {
    /// How many characters fit into a line of the terminal; nil if output goes elsewhere.
    static var terminalWidth: Int? {
        var size = winsize()
        guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// - Throws: as ``flush()``.
    static func write(_ bytes: UnsafeRawBufferPointer) throws {
        try flush()
        try FileDescriptorWriting.write(bytes, to: 1, failure: failure)
    }

    /// Texts come from outside. On a terminal, control characters in them do nothing.
    static func write(_ text: String) throws {
        var text =
            isatty(1) == 1 ? text.replacing("\r\n", with: "\n").escapingControls(keepsLines: true) : text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
    }

    /// Prints a text for people, or JSON. Control characters in it, such as those of a stranger's link, are shown.
    static func print(_ text: String, terminator: String = "\n") {
        Swift.print(text.escapingControls(keepsLines: true), terminator: terminator)
    }

    /// Writes what was printed.
    ///
    /// - Throws: `CommandFailure` if it cannot be written, as on a full disk. If the reader has closed the pipe, as
    ///   `head` does, the `ExitCode` of that, without a message.
    static func flush() throws {
        errno = 0
        guard fflush(stdout) != 0 || ferror(stdout) != 0 else { return }
        throw failure(errno)
    }

    private static func failure(_ error: Int32) -> any Error {
        if error == EPIPE { return ExitCode(128 + SIGPIPE) }
        let reason = error == 0 ? "" : ": \(String(cString: strerror(error)))"
        return CommandFailure(.internalError, "standard output could not be written\(reason)")
    }
}

extension TextTable {
    /// As wide as the terminal at most.
    func print() {
        StandardOutput.print(text(within: StandardOutput.terminalWidth), terminator: "")
    }
}

/// Instead of Swift's in this program, so that no text reaches a terminal as it came.
func print(_ text: String, terminator: String = "\n") {
    StandardOutput.print(text, terminator: terminator)
}
