// Writes the Swift file of EmbedFiles:
//
//   EmbedFilesTool <file to write> <name of the enum> <access level> <folder>=<list>,… <folder of variants> <file>...
//
// A file of a folder that is named becomes an element of the list, in the order of the files (sql/migrations:
// `StoredSQL.migrations`). Every other file becomes a constant with its name (insert_app.sql: `StoredSQL.insertApp`),
// and with its extension unless that is `sql` (style.css: `PageFiles.styleCSS`).
//
// A file below the folder of variants stands for the one with the same name. It becomes an element of a dictionary, by
// the text of that one (sql/citus: `StoredSQL.citusVariants`).

import Foundation

let arguments = CommandLine.arguments
let output = URL(fileURLWithPath: arguments[1])
let (name, access) = (arguments[2], arguments[3])
/// The lists by their folders.
let lists = Dictionary(
    uniqueKeysWithValues: arguments[4].split(separator: ",").map { pair in
        let parts = pair.split(separator: "=").map(String.init)
        return (parts[0], parts[1])
    }
)
let variantsFolder = arguments[5]
let files = arguments.dropFirst(6).map { URL(fileURLWithPath: $0) }

func literal(_ file: URL) throws -> String {
    "##\"\"\"\n\(try String(contentsOf: file, encoding: .utf8))\n\"\"\"##"
}

func constantName(_ file: URL) -> String {
    let words = file.deletingPathExtension().lastPathComponent.split(separator: "_").map(String.init)
    let name = words.enumerated().map { $0.offset == 0 ? $0.element : $0.element.capitalized }.joined()
    return file.pathExtension == "sql" ? name : name + file.pathExtension.uppercased()
}

var elements = Dictionary(uniqueKeysWithValues: lists.values.map { ($0, "") })
var constants = ""
var variants = ""
for file in files {
    if let list = lists[file.deletingLastPathComponent().lastPathComponent] {
        let name = file.deletingPathExtension().lastPathComponent
        elements[list, default: ""] += "(name: \"\(name)\", text: \(try literal(file))),\n"
    } else if file.deletingLastPathComponent().deletingLastPathComponent().lastPathComponent == variantsFolder {
        variants += "\(constantName(file)): \(try literal(file)),\n"
    } else {
        constants += "\(access) static let \(constantName(file)) = \(try literal(file))\n"
    }
}
let declarations = elements.sorted { $0.key < $1.key }.map { list, elements in
    "\(access) static let \(list): [(name: String, text: String)] = [\n\(elements)]\n"
}
if !variantsFolder.isEmpty {
    constants += "\(access) static let \(variantsFolder)Variants: [String: String] = [\n\(variants)]\n"
}
try """
/// Files of this package. Written by the EmbedFiles plugin.
\(access) enum \(name) {
\(declarations.joined())\(constants)}

""".write(to: output, atomically: true, encoding: .utf8)
