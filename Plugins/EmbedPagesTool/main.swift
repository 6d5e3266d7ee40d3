// Writes the Swift file of EmbedPages: EmbedPagesTool <file to write> <file>...
//
// Each *.mustache file becomes an entry of `PageFiles.templates` under its name. Every other file becomes a constant
// with its name (style.css: `styleCSS`).

import Foundation

let output = URL(fileURLWithPath: CommandLine.arguments[1])
let files = CommandLine.arguments.dropFirst(2).map { URL(fileURLWithPath: $0) }

var templates = ""
var constants = ""
for file in files {
    let name = file.deletingPathExtension().lastPathComponent
    let literal = "##\"\"\"\n\(try String(contentsOf: file, encoding: .utf8))\n\"\"\"##"
    if file.pathExtension == "mustache" {
        templates += "\"\(name)\": \(literal),\n"
    } else {
        constants += "static let \(name)\(file.pathExtension.uppercased()) = \(literal)\n"
    }
}
try """
/// The files of the dashboard's pages. Written by the EmbedPages plugin.
enum PageFiles {
static let templates: [String: String] = [
\(templates)]
\(constants)}

""".write(to: output, atomically: true, encoding: .utf8)
