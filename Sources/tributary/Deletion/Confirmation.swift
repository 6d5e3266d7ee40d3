import Foundation

/// Asks before something goes for good.
enum Confirmation {
    /// Returns when the answer on the terminal is the expected one, or when `yes` says that nobody is to be asked.
    ///
    /// - Parameters:
    ///   - question: without the request for the answer.
    ///   - answer: what is to be typed.
    /// - Throws: `CommandFailure` where the answer is another, or where there is no terminal to ask on.
    static func ask(_ question: String, answer: String, yes: Bool) throws {
        if yes { return }
        guard isatty(0) == 1 else {
            throw CommandFailure(.usage, "nothing was deleted: say --yes where no one can be asked")
        }
        StandardError.write("\(question) Type \(answer) to go on:")
        guard readLine() == answer else { throw CommandFailure(.usage, "nothing was deleted") }
    }
}
