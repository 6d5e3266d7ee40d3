import Foundation
import PackagePlugin

/// Turns the files of `sql/` into a Swift enum `StoredSQL` at build time. The programs contain their SQL, and the files
/// still run with `psql -f`.
@main
struct EmbedSQL: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL.appending(path: "sql").resolvingSymlinksInPath()
        let output = context.pluginWorkDirectoryURL.appending(path: "StoredSQL.swift")
        let files =
            FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }
            .filter { $0.pathExtension == "sql" }
            .sorted { $0.path < $1.path } ?? []
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) SQL files",
                executable: try context.tool(named: "EmbedSQLTool").url,
                arguments: [root.path, output.path],
                inputFiles: files,
                outputFiles: [output]
            )
        ]
    }
}
