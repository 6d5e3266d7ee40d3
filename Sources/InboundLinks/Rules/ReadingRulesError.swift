/// Why rules of an app are refused. The message names the file and the line, and says what to do.
package struct ReadingRulesError: Error, Equatable, Sendable, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}
