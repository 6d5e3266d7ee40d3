import ArgumentParser
import Reporting
import Text

/// Suggests a valid name in place of a mistyped one.
enum Suggestion {
    /// ` (did you mean 'x'?)`, or else the list of valid names; empty if there are none.
    ///
    /// - Parameter shown: the names to list, if not all of them.
    static func sentence(for word: String, among names: [String], showing shown: [String]? = nil) -> String {
        if let closest = closestName(to: word, among: names) { return " (did you mean '\(closest)'?)" }
        let shown = shown ?? names
        let more = shown.count > 20 ? ", …" : ""
        return shown.isEmpty ? "" : " (one of: \(shown.prefix(20).joined(separator: ", "))\(more))"
    }

    /// The command that arguments name, as it is typed: `tributary app create`.
    static func command(of arguments: [String], in command: any ParsableCommand.Type) -> String {
        let name = command.configuration.commandName ?? ""
        guard let word = arguments.first,
            let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word })
        else { return name }
        return "\(name) \(Self.command(of: Array(arguments.dropFirst()), in: next))"
    }

    /// The argument parser calls a mistyped subcommand an unexpected argument. This check suggests the right one.
    static func checkSubcommand(_ arguments: [String], of command: any ParsableCommand.Type) throws {
        let subcommands = command.configuration.subcommands
        guard !subcommands.isEmpty, let word = arguments.first, !word.hasPrefix("-"), word != "help" else { return }
        let names = subcommands.map { $0.configuration.commandName ?? "" }
        guard let index = names.firstIndex(of: word) else {
            throw CommandFailure(.usage, "unknown command '\(word)'" + sentence(for: word, among: names))
        }
        try checkSubcommand(Array(arguments.dropFirst()), of: subcommands[index])
    }
}
