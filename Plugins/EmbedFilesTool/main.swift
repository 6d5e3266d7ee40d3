// Writes the Swift file of EmbedFiles:
//
//   EmbedFilesTool <file to write> <name of the enum> <access level> <folder>=<list>,… <folder of variants> <file>...
//
// A file of a folder that is named becomes an element of the list, in the order of the files (sql/migrations:
// `StoredSQL.migrations`). Every other file becomes a constant with its name (insert_app.sql: `StoredSQL.insertApp`),
// and with its extension unless that is `sql` (style.css: `PageFiles.styleCSS`).
//
// The variants of files become elements of a dictionary, by the text of the file that they stand for
// (`StoredSQL.citusVariants`). A variant is a file of the same name below the folder of variants (sql/citus), or lines
// of the file itself: a line `--citus TEXT` says that in the variant TEXT takes the place of the line before.
//
// A file of a folder `fragments` is a part of others: a line `--include NAME key=value…` stands for its lines, with
// each `:key` replaced by its value, without the comment that the fragment begins with.

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
let given = arguments.dropFirst(6).map { URL(fileURLWithPath: $0) }
func isFragment(_ file: URL) -> Bool { file.deletingLastPathComponent().lastPathComponent == "fragments" }
let files = given.filter { !isFragment($0) }
/// The lines of the fragments by their names.
let fragments = try Dictionary(
    uniqueKeysWithValues: given.filter(isFragment).map { file in
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return (file.deletingPathExtension().lastPathComponent, lines.drop { $0.hasPrefix("--") })
    }
)

func literal(_ text: String) -> String { "##\"\"\"\n\(text)\n\"\"\"##" }

/// The text of a file with the fragments that it includes.
func text(of file: URL) throws -> String {
    let mark = "--include "
    let text = try String(contentsOf: file, encoding: .utf8)
    guard text.contains(mark) else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
        let indent = line.prefix { $0 == " " }
        guard line[indent.endIndex...].hasPrefix(mark) else { return [String(line)] }
        let words = line[indent.endIndex...].dropFirst(mark.count).split(separator: " ")
        guard let name = words.first, let fragment = fragments[String(name)] else {
            print("error: \(file.path): there is no fragment for '\(line[indent.endIndex...])'")
            exit(1)
        }
        let values = words.dropFirst().map { $0.split(separator: "=").map(String.init) }
        return fragment.map { part in
            values.reduce(String(indent + part)) { part, pair in
                part.replacing(":\(pair[0])", with: pair[pair.count - 1])
            }
        }
    }
    return lines.joined(separator: "\n")
}

/// The text of a file, and that of its variant; nil if no line of it belongs to one.
func texts(of file: URL) throws -> (own: String, variant: String?) {
    let text = try text(of: file)
    let mark = "--\(variantsFolder) "
    guard !variantsFolder.isEmpty, text.contains(mark) else { return (text, nil) }
    var own: [Substring] = []
    var variant: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if let range = line.firstRange(of: mark), line[..<range.lowerBound].allSatisfy({ $0 == " " }) {
            variant[variant.count - 1] = String(line[..<range.lowerBound] + line[range.upperBound...])
        } else {
            own.append(line)
            variant.append(String(line))
        }
    }
    return (own.joined(separator: "\n"), variant.joined(separator: "\n"))
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
    let (own, variant) = try texts(of: file)
    if let variant { variants += "\(constantName(file)): \(literal(variant)),\n" }
    if let list = lists[file.deletingLastPathComponent().lastPathComponent] {
        let name = file.deletingPathExtension().lastPathComponent
        elements[list, default: ""] += "(name: \"\(name)\", text: \(literal(own))),\n"
    } else if file.deletingLastPathComponent().deletingLastPathComponent().lastPathComponent == variantsFolder {
        variants += "\(constantName(file)): \(literal(own)),\n"
    } else {
        constants += "\(access) static let \(constantName(file)) = \(literal(own))\n"
    }
}
let declarations = elements.sorted { $0.key < $1.key }.map { list, elements in
    "\(access) static let \(list): [(name: String, text: String)] = [\n\(elements)]\n"
}
if !variantsFolder.isEmpty {
    constants += "\(access) static let \(variantsFolder)Variants: [String: String] = [\n\(variants)]\n"
}
let text = """
    /// Files of this package. Written by the EmbedFiles plugin.
    \(access) enum \(name) {
    \(declarations.joined())\(constants)}

    """
// SwiftPM links this tool again for each product, and then runs it again. If the file were written again, it and all
// targets that use it would be compiled again.
let bytes = Data(text.utf8)
if (try? Data(contentsOf: output)) != bytes { try bytes.write(to: output, options: .atomic) }
