import Foundation
import PostgresTesting
import Testing

/// What the documents say that only the code can make true.
@Suite("The documents")
struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The boxes of docs/architecture.md below a path in a line of its own.
    private static func quotations() throws -> [(path: String, code: String)] {
        var quotations: [(path: String, code: String)] = []
        var path: String?
        var code: [Substring]?
        for line in try text(of: "docs/architecture.md").split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = code {
                if line == "```" {
                    if let path { quotations.append((path, lines.joined(separator: "\n"))) }
                    code = nil
                    path = nil
                } else {
                    code = lines + [line]
                }
            } else if line.hasPrefix("```") {
                code = []
            } else {
                let isPath = line.hasPrefix("`") && line.hasSuffix("`") && line.contains("/") && !line.contains(" ")
                path = isPath ? String(line.dropFirst().dropLast()) : nil
            }
        }
        return quotations
    }

    @Test func quoteTheCodeToTheLetter() throws {
        let quotations = try Self.quotations()
        #expect(quotations.count >= 15)
        for (path, code) in quotations {
            let file = try Self.text(of: path)
            #expect(("\n" + file).contains("\n" + code + "\n"), "\(path) does not have this any more:\n\(code)")
        }
    }

    /// The names in the first column of the table of docs/operations.md.
    private static func documentedMetrics() throws -> Set<String> {
        let guide = try text(of: "docs/operations.md")
        let section = try #require(guide.split(separator: "\n## ").first { $0.hasPrefix("Metrics\n") })
        var names: Set<String> = []
        for line in section.split(separator: "\n") where line.hasPrefix("| `") {
            let cell = line.dropFirst(2).prefix { $0 != "|" }
            for name in cell.split(separator: "`") where name.contains("_") { names.insert(String(name)) }
        }
        return names
    }

    @Test func tellOfEveryMetricOfTheDaemon() async throws {
        let documented = try Self.documentedMetrics()
        let exposed = try await TestDatabases.withDatabase(template: "Empty") { database in
            try await RunningDaemon.with(database: database.address) { daemon in
                _ = try await daemon.post("/v1/events", key: "trib_w_none", "{}")
                return try await daemon.send("GET", "/metrics").body
                    .split(separator: "\n")
                    .filter { $0.hasPrefix("# HELP ") }
                    .map { String($0.split(separator: " ")[2]) }
            }
        }
        let unexplained = Set(exposed).subtracting(documented)
        #expect(unexplained.isEmpty, "docs/operations.md says nothing of these: \(unexplained.sorted())")
        // Other systems than Linux do not tell all of a process.
        let gone = documented.subtracting(exposed).filter { !$0.hasPrefix("process_") }
        #expect(gone.isEmpty, "docs/operations.md tells of metrics that there are not: \(gone.sorted())")
    }

    /// A type that another target or package sees says what it is for.
    @Test func explainEveryType() throws {
        let sources = Self.root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
        let declaration = /^ *(package|public) (final |indirect )?(struct|enum|class|actor|protocol) \w/
        var count = 0
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() where line.firstMatch(of: declaration) != nil {
                count += 1
                let before = lines[..<number].last { !$0.drop { $0 == " " }.hasPrefix("@") } ?? ""
                #expect(before.drop { $0 == " " }.hasPrefix("///"), "\(file):\(number + 1):\(line)")
            }
        }
        #expect(count > 200)
    }

    /// Every page that shows commands.
    private static func pages() throws -> [String] {
        let folders = try ["docs", "deploy"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path).map {
                "\(folder)/\($0)"
            }
        }
        return ["README.md", "CONTRIBUTING.md"] + folders.filter { $0.hasSuffix(".md") }.sorted()
    }

    @Test func showCommandsThatTheProgramsTake() throws {
        let programs = [
            "tributary": try CommandLineDescription(of: "tributary"),
            "tributaryd": try CommandLineDescription(of: "tributaryd"),
        ]
        var count = 0
        for page in try Self.pages() {
            for command in DocumentedCommands(try Self.text(of: page)).commands {
                count += 1
                let fault = programs[command.program]?.fault(in: command.words, isWhole: command.isWhole)
                #expect(fault == nil, "\(page): \(command.text)")
            }
        }
        #expect(count > 80)
    }

    /// The check above would be worth nothing if it let these pass.
    @Test(arguments: [
        "tributary rejected clear", "tributary report chanels --apps shop", "tributary app create --name Shop",
        "tributary person delete alice --app shop", "tributary app keys", "tributaryd --prot 80",
        "tributary app rotate-key shop --scope reed",
    ])
    func showNoOthers(command: String) throws {
        let found = try #require(DocumentedCommands("```\n\(command)\n```").commands.first)
        #expect(try CommandLineDescription(of: found.program).fault(in: found.words, isWhole: true) != nil)
    }
}
