import Foundation
import PackagePlugin

/// Turns the templates, the style sheet and the script of a target into a Swift enum `PageFiles` at build time. The
/// daemon then needs no files beside its program.
@main
struct EmbedPages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = target.directoryURL.resolvingSymlinksInPath()
        let output = context.pluginWorkDirectoryURL.appending(path: "PageFiles.swift")
        let files =
            FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }
            .filter { ["mustache", "css", "js"].contains($0.pathExtension) }
            .sorted { $0.path < $1.path } ?? []
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) page files",
                executable: try context.tool(named: "EmbedPagesTool").url,
                arguments: [output.path] + files.map(\.path),
                inputFiles: files,
                outputFiles: [output]
            )
        ]
    }
}
