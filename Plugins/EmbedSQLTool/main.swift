// Writes the Swift file of EmbedSQL: EmbedSQLTool <folder of SQL files> <file to write>.
//
// sql/migrations/*.sql become `StoredSQL.migrations`, a list in the order of their names; every other file becomes a constant
// named after it (sql/reports/story_posts.sql: `StoredSQL.storyPosts`).

import Foundation

let root = URL(fileURLWithPath: CommandLine.arguments[1])
let output = URL(fileURLWithPath: CommandLine.arguments[2])

func literal(_ text: String) -> String {
    "##\"\"\"\n\(text)\n\"\"\"##"
}

func constantName(_ file: URL) -> String {
    let words = file.deletingPathExtension().lastPathComponent.split(separator: "_").map(String.init)
    return words.enumerated().map { $0.offset == 0 ? $0.element : $0.element.capitalized }.joined()
}

let files = (FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? [])
    .filter { $0.pathExtension == "sql" }
    .sorted { $0.path < $1.path }

var migrations = ""
var constants = ""
for file in files {
    let text = try String(contentsOf: file, encoding: .utf8)
    if file.deletingLastPathComponent().lastPathComponent == "migrations" {
        let name = file.deletingPathExtension().lastPathComponent
        migrations += "(name: \"\(name)\", text: \(literal(text))),\n"
    } else {
        constants += "package static let \(constantName(file)) = \(literal(text))\n"
    }
}
try """
/// The SQL of this project, from `sql/`. Written by the EmbedSQL plugin.
package enum StoredSQL {
package static let migrations: [(name: String, text: String)] = [
\(migrations)]
\(constants)}

""".write(to: output, atomically: true, encoding: .utf8)
