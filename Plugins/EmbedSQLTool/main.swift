// Writes the Swift file of EmbedSQL: EmbedSQLTool <folder of SQL files> <file to write>.
//
// The files of sql/migrations become the list `StoredSQL.migrations`, and those of sql/views the list `StoredSQL.views`,
// both in the order of their names. Every other file becomes a constant with its name (sql/statements/insert_app.sql:
// `StoredSQL.insertApp`).

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
var views = ""
var constants = ""
for file in files {
    let text = try String(contentsOf: file, encoding: .utf8)
    let element = "(name: \"\(file.deletingPathExtension().lastPathComponent)\", text: \(literal(text))),\n"
    switch file.deletingLastPathComponent().lastPathComponent {
    case "migrations": migrations += element
    case "views": views += element
    default: constants += "package static let \(constantName(file)) = \(literal(text))\n"
    }
}
try """
/// The SQL of this project, from `sql/`. Written by the EmbedSQL plugin.
package enum StoredSQL {
package static let migrations: [(name: String, text: String)] = [
\(migrations)]
package static let views: [(name: String, text: String)] = [
\(views)]
\(constants)}

""".write(to: output, atomically: true, encoding: .utf8)
