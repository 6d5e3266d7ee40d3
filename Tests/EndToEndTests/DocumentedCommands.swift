/// The commands in a document: in its code blocks, and in its sentences.
struct DocumentedCommands {
    struct Command {
        var program: String
        var words: [String]
        /// In a code block and without "…": it can be typed as it is.
        var isWhole: Bool
        var text: String
    }

    private(set) var commands: [Command] = []

    init(_ document: String) {
        var box: String?
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                box = box == nil ? String(line.drop(while: { $0 == " " }).dropFirst(3)) : nil
            } else if let box {
                // Blocks in other languages than the shell's contain no commands.
                if ["", "sh", "bash", "console"].contains(box) { read(String(line), isBox: true) }
            } else {
                for (position, part) in line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                where position % 2 == 1 {
                    read(String(part), isBox: false)
                }
            }
        }
    }

    private mutating func read(_ line: String, isBox: Bool) {
        for words in Self.simpleCommands(of: line) {
            var words = words[...]
            // `sudo -u tributary tributary …`, `runuser -u tributary -- tributary …`
            if let first = words.first, ["sudo", "runuser"].contains(first) {
                words.removeFirst()
                if words.first == "-u" { words = words.dropFirst(2) }
                if words.first == "--" { words.removeFirst() }
            }
            guard let path = words.first else { continue }
            let program = path.split(separator: "/").last.map(String.init) ?? path
            guard program == "tributary" || program == "tributaryd", path == program || path.contains("/release/")
            else {
                continue
            }
            words = words.dropFirst()
            let isWhole = isBox && !line.contains("…")
            // A name alone is not a command.
            if words.isEmpty { continue }
            // Of sentences, `reads|writes` means one of the two; what is quoted in a block is meant as it is.
            let known = words.prefix {
                !$0.hasPrefix("…") && !$0.hasPrefix("[") && (isBox || !$0.contains("|"))
            }
            commands.append(Command(program: program, words: Array(known), isWhole: isWhole, text: line))
        }
    }

    /// The words of each command in a line of shell. `;`, `&&`, `|` and `$(` divide commands. Quotes, comments and
    /// redirections are removed.
    private static func simpleCommands(of line: String) -> [[String]] {
        var commands: [[String]] = [[]]
        var word: String?
        var quote: Character?
        func isDivider(_ character: Character) -> Bool { ";|&()".contains(character) }
        func finish() {
            if let ended = word { commands[commands.count - 1].append(ended) }
            word = nil
        }
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == "#", word == nil {
                break
            } else if character == " " {
                finish()
            } else if isDivider(character) {
                finish()
                commands.append([])
            } else {
                word = (word ?? "") + String(character)
            }
        }
        finish()
        return commands.map { words in
            guard
                let redirection = words.firstIndex(where: {
                    $0.hasPrefix(">") || $0.hasPrefix("<") || $0.hasPrefix("2>")
                })
            else { return words.filter { $0 != "\\" } }
            return Array(words[..<redirection])
        }
    }
}
