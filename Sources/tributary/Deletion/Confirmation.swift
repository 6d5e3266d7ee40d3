import Foundation

/// Asks before something is done that cannot be taken back.
enum Confirmation {
    /// Returns if the answer on the terminal is the expected one, or without asking if `yes` is true.
    ///
    /// - Parameters:
    ///   - question: what is to be done; the request to type the answer is added.
    ///   - answer: the text that confirms.
    /// - Throws: `CommandFailure` for another answer, or without a terminal to ask on.
    static func ask(_ question: String, answer: String, yes: Bool) throws {
        if yes { return }
        guard isatty(0) == 1 else {
            throw CommandFailure(.usage, "nothing was done: there is no terminal to ask on; add --yes to confirm")
        }
        StandardError.write("\(question) Type \(answer) to continue:")
        guard readLine() == answer else { throw CommandFailure(.usage, "nothing was done") }
    }
}
