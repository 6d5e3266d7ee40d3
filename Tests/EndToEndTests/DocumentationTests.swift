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

    /// The boxes of a page below a path in a line of its own.
    private static func quotations(in page: String) throws -> [(path: String, code: String)] {
        var quotations: [(path: String, code: String)] = []
        var path: String?
        var code: [Substring]?
        for line in try text(of: page).split(separator: "\n", omittingEmptySubsequences: false) {
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

    @Test(arguments: [("docs/architecture.md", 15), ("docs/recipes.md", 6)])
    func quoteTheCodeToTheLetter(page: String, count: Int) throws {
        let quotations = try Self.quotations(in: page)
        #expect(quotations.count >= count)
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
        let exposed = try await TestDatabases.withSchema { database in
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

    /// Every file that a reader may follow a pointer from. Applied migrations stay as they are.
    private static let texts = Result {
        let folders = [
            ".github", "Benchmarks", "Plugins", "Sources", "Tests", "dashboards", "deploy", "docs", "kits", "scripts",
            "sql",
        ]
        let paths = try folders.flatMap { folder in
            try #require(FileManager.default.enumerator(atPath: root.appending(path: folder).path))
                .compactMap { ($0 as? String).map { "\(folder)/\($0)" } }
        }
        let top = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".md") }
        return (paths + top + ["Makefile", "Package.swift"]).sorted()
            .filter { !$0.hasPrefix("sql/migrations/") && !$0.contains("/.build") }
            .compactMap { path in (try? text(of: path)).map { (path: path, text: $0) } }
    }

    /// The headings of a page, and the anchors that GitHub makes of them.
    private static func headings(of page: String) -> (names: Set<String>, anchors: Set<String>) {
        var isCode = false
        var names: [String] = []
        for line in page.split(separator: "\n") {
            if line.hasPrefix("```") { isCode.toggle() }
            if !isCode, line.hasPrefix("#") {
                names.append(line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces))
            }
        }
        let anchors = names.map { name in
            String(
                name.lowercased().compactMap {
                    $0 == " " ? "-" : $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : nil
                }
            )
        }
        return (Set(names.map { $0.filter { $0 != "`" } }), Set(anchors))
    }

    /// The parts of a text in which a word stands, each with the line after it: matching a pattern takes long.
    private static func places(of word: String, in text: String) -> [Substring] {
        var places: [Range<String.Index>] = []
        for found in text.ranges(of: word) {
            let start = text[..<found.lowerBound].lastIndex(of: "\n") ?? text.startIndex
            let end = text[found.upperBound...].firstIndex(of: "\n").flatMap { line in
                text[text.index(after: line)...].firstIndex(of: "\n")
            }
            let place = start..<(end ?? text.endIndex)
            if let last = places.last, place.lowerBound < last.upperBound {
                places[places.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
            } else {
                places.append(place)
            }
        }
        return places.map { text[$0] }
    }

    @Test func nameOnlyPagesAndSectionsThatExist() throws {
        let texts = try Self.texts.get()
        let pages = Dictionary(
            uniqueKeysWithValues: texts.filter { $0.path.hasSuffix(".md") }.map { ($0.path, $0.text) }
        )
        let page = /(?:^|[^\w\/.*$-])((?:[\w.-]+\/)*[\w-]+\.md)\b(?:,\s+(?:\/\/\/?\s+|--\s+)?\*([^*\n]+)\*)?/
        let link = /\]\(([^)\s:]*?\.md)?(?:#([^)\s]+))?\)/
        var count = 0
        let headings = pages.mapValues(Self.headings)
        for (path, text) in texts where path != "Tests/EndToEndTests/DocumentationTests.swift" {
            let folder = path.split(separator: "/").dropLast().joined(separator: "/")
            func found(_ name: Substring) -> String? {
                // Issue forms are shown at another path than they stand at.
                let name = name.replacing("../blob/main/", with: "")
                return [name, "docs/\(name)", "\(folder)/\(name)"]
                    .map { String(URL(filePath: "/\($0)").standardizedFileURL.path.dropFirst()) }
                    .first { pages[$0] != nil }
            }
            for match in Self.places(of: ".md", in: text).flatMap({ $0.matches(of: page) }) {
                count += 1
                guard let name = found(match.1) else {
                    Issue.record("\(path) names \(match.1), which does not exist")
                    continue
                }
                guard let section = match.2 else { continue }
                let names = headings[name]?.names ?? []
                #expect(names.contains(String(section)), "\(path) names \(name), *\(section)*, which does not exist")
            }
            guard path.hasSuffix(".md") else { continue }
            for match in text.matches(of: link) {
                guard match.1 != nil || match.2 != nil else { continue }
                guard let name = match.1.map({ found($0) }) ?? path else {
                    Issue.record("\(path) links to \(match.1 ?? ""), which does not exist")
                    continue
                }
                guard let anchor = match.2 else { continue }
                let anchors = headings[name]?.anchors ?? []
                #expect(anchors.contains(String(anchor)), "\(path) links to \(name)#\(anchor), which does not exist")
            }
        }
        #expect(count > 150)
    }

    /// docs/llms.txt is an index: every page once, under its own title.
    @Test func indexEveryPageForAssistants() throws {
        let pages = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "docs").path)
            .filter { $0.hasSuffix(".md") }.sorted()
        let entries = try Self.text(of: "docs/llms.txt").matches(of: /(?m)^- \[([^\]]+)\]\(([^)]+)\): \S.*$/)
        #expect(entries.map { String($0.2) }.sorted() == pages)
        for entry in entries {
            let title = try Self.text(of: "docs/\(entry.2)").split(separator: "\n").first
            #expect(title == "# \(entry.1)", "docs/llms.txt names \(entry.2)")
        }
    }

    /// `swift format` wraps code, but neither comments nor pages.
    @Test func keepCommentsAndProseWithin120Columns() throws {
        var count = 0
        for (path, text) in try Self.texts.get() where path.hasSuffix(".swift") || path.hasSuffix(".md") {
            var isCode = false
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let start = line.drop { $0 == " " }
                if path.hasSuffix(".swift") {
                    guard start.hasPrefix("//") else { continue }
                } else {
                    if start.hasPrefix("```") { isCode.toggle() }
                    // Tables, pictures and code cannot be wrapped.
                    if isCode || start.hasPrefix("|") || start.hasPrefix("!") || start.hasPrefix("<") { continue }
                }
                count += 1
                // Expectations and characters cost more than what they look at, here for each line of the repository.
                if line.utf8.count > 120 { #expect(line.count <= 120, "\(path):\(number + 1)") }
            }
        }
        #expect(count > 5_000)
    }

    /// Every page that shows commands.
    private static func pages() throws -> [String] {
        let folders = try ["docs", "deploy"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path).map {
                "\(folder)/\($0)"
            }
        }
        return ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
            + folders.filter { $0.hasSuffix(".md") }.sorted()
    }

    private static let programs = Result {
        [
            "tributary": try CommandLineDescription.tributary.get(),
            "tributaryd": try CommandLineDescription.tributaryd.get(),
        ]
    }

    @Test func showCommandsThatTheProgramsTake() throws {
        let programs = try Self.programs.get()
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
        "tributary app rotate-key shop --scope reed", "tributary question save mine -- report channels --apps shop",
    ])
    func showNoOthers(command: String) throws {
        let found = try #require(DocumentedCommands("```\n\(command)\n```").commands.first)
        #expect(try Self.programs.get()[found.program]?.fault(in: found.words, isWhole: true) != nil)
    }
}
