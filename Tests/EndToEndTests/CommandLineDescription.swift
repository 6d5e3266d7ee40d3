import Foundation

/// The commands and options of a program, as its argument parser dumps them.
struct CommandLineDescription: Decodable {
    struct Command: Decodable {
        var commandName: String
        var arguments: [Argument]?
        var subcommands: [Command]?
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var kind: String
        var names: [Name]?
        var isOptional: Bool
        var isRepeating: Bool
        var allValues: [String]?
        var valueName: String?

        var spellings: [String] {
            (names ?? []).map { ($0.kind == "short" ? "-" : "--") + $0.name }
        }
    }

    var command: Command

    /// Each is read once, because a program takes seconds to dump its commands.
    static let tributary = Result { try CommandLineDescription(of: "tributary") }
    static let tributaryd = Result { try CommandLineDescription(of: "tributaryd") }

    private init(of program: String) throws {
        let process = Process()
        process.executableURL = Programs.url(of: program)
        process.arguments = ["--experimental-dump-help"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        self = try JSONDecoder().decode(Self.self, from: text)
    }

    /// What is wrong with these words after the program's name; nil if nothing is.
    ///
    /// - Parameter isWhole: whether this is a complete command. In sentences, arguments may be missing.
    func fault(in words: [String], isWhole: Bool) -> String? {
        var command = command
        var words = words[...]
        while let subcommands = command.subcommands, let word = words.first, !word.hasPrefix("-") {
            guard let subcommand = subcommands.first(where: { $0.commandName == word }) else {
                return "\(command.commandName) has no subcommand \(word)"
            }
            command = subcommand
            words.removeFirst()
        }
        let positionals = (command.arguments ?? []).filter { $0.kind == "positional" }
        var given: [String] = []
        var named: Set<String> = []
        while let word = words.popFirst() {
            // Another command of the program follows, as in `question save NAME -- report …`.
            if word == "--" {
                if let fault = fault(in: Array(words), isWhole: isWhole) { return fault }
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                given.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard let argument = command.arguments?.first(where: { $0.spellings.contains(parts[0]) }) else {
                return "\(command.commandName) has no \(parts[0])"
            }
            named.formUnion(argument.spellings)
            guard argument.kind == "option" else { continue }
            // The name of a switch alone means `on`.
            if argument.valueName == "on|off", parts.count == 1, words.first?.hasPrefix("-") != false { continue }
            guard let value = parts.count > 1 ? parts[1] : words.popFirst() else {
                if isWhole { return "\(parts[0]) of \(command.commandName) takes a value" }
                continue
            }
            if let values = argument.allValues, !values.contains(value), isWhole {
                return "\(parts[0]) of \(command.commandName) cannot be \(value)"
            }
        }
        if given.count > positionals.count, positionals.last?.isRepeating != true {
            return "\(command.commandName) takes \(positionals.count) arguments and not \(given)"
        }
        guard isWhole else { return nil }
        if command.subcommands?.isEmpty == false, words.isEmpty, given.isEmpty, named.isEmpty {
            return "\(command.commandName) needs a subcommand"
        }
        if given.count < positionals.filter({ !$0.isOptional }).count {
            return "\(command.commandName) needs \(positionals.count) arguments"
        }
        for argument in command.arguments ?? [] where argument.kind == "option" && !argument.isOptional {
            if named.isDisjoint(with: argument.spellings) {
                return "\(command.commandName) needs \(argument.spellings.first ?? "an option")"
            }
        }
        return nil
    }
}
