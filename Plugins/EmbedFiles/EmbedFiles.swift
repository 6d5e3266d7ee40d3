import Foundation
import PackagePlugin

/// Turns files into a Swift enum at build time. The programs then need no files beside them, and other tools still read
/// the files: `psql -f` the SQL, an editor the pages, a linter `openapi.yaml`.
@main
struct EmbedFiles: BuildToolPlugin {
    struct Embedding {
        /// The name of the enum.
        let name: String
        let access: String
        /// Relative to the package; with everything below them. Other kinds of files in them are left out. Files of a
        /// folder `fragments` are parts of others (`--include`).
        let folders: [String]
        let kinds: Set<String>
        /// Folders whose files become elements of a list, and the name of the list. Every other file becomes a
        /// constant.
        var lists: [String: String] = [:]
        /// A folder whose files stand for others that have the same name, and the mark of lines that stand for the line
        /// before (`--citus`). They become a dictionary by the texts that they stand for (`citusVariants`).
        var variants = ""
    }

    /// What each target embeds.
    static let embeddings: [String: Embedding] = [
        "Dashboard": Embedding(
            name: "PageFiles",
            access: "internal",
            folders: ["Sources/Dashboard/Assets", "Sources/Dashboard/Pages"],
            kinds: ["css", "js", "mustache"],
            lists: ["Pages": "templates"]
        ),
        "Ingest": Embedding(
            name: "TextFiles",
            access: "internal",
            folders: ["Sources/Ingest/Endpoints"],
            kinds: ["yaml"]
        ),
        "Redirects": Embedding(
            name: "RedirectFiles",
            access: "internal",
            folders: ["Sources/Redirects/Pages", "Sources/Redirects/Visitors"],
            kinds: ["css", "js", "txt"]
        ),
        "Reporting": Embedding(
            name: "ReportSQL",
            access: "internal",
            folders: [
                "sql/attributions", "sql/breakdown", "sql/exports", "sql/figures", "sql/freshness", "sql/lists",
                "sql/logins", "sql/names", "sql/citus/figures", "sql/fragments",
            ],
            kinds: ["sql"],
            variants: "citus"
        ),
        "Storage": Embedding(
            name: "StoredSQL",
            access: "internal",
            folders: [
                "sql/bi", "sql/deletion", "sql/distribution", "sql/links", "sql/migrations", "sql/moving", "sql/people",
                "sql/questions", "sql/reread", "sql/retention", "sql/statements", "sql/users", "sql/views",
                "sql/citus/people", "sql/citus/statements", "sql/fragments",
            ],
            kinds: ["sql"],
            lists: ["migrations": "migrations", "views": "views"],
            variants: "citus"
        ),
        "Timelines": Embedding(
            name: "TimelineSQL",
            access: "internal",
            folders: ["sql/reports", "sql/timelines", "sql/citus/timelines", "sql/fragments"],
            kinds: ["sql"],
            variants: "citus"
        ),
        "Webhooks": Embedding(
            name: "WebhookSQL",
            access: "internal",
            folders: ["sql/webhooks"],
            kinds: ["sql"],
            variants: "citus"
        ),
    ]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let embedding = Self.embeddings[target.name] else {
            Diagnostics.error("EmbedFiles does not know what \(target.name) embeds; add it to `embeddings`.")
            return []
        }
        let package = context.package.directoryURL.resolvingSymlinksInPath()
        let folders = embedding.folders.map { package.appending(path: $0) }
        let files = folders.flatMap { Self.files(in: $0, of: embedding.kinds) }.sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "\(embedding.name).swift")
        let lists = embedding.lists.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ",")
        let embed = Command.buildCommand(
            displayName: "Embedding \(files.count) files in \(target.name)",
            executable: try context.tool(named: "EmbedFilesTool").url,
            arguments: [output.path, embedding.name, embedding.access, lists, embedding.variants] + files.map(\.path),
            inputFiles: files,
            outputFiles: [output]
        )
        return Self.watched(embedding.folders).map { Self.watch(package.appending(path: $0)) } + [embed]
    }

    private static func files(in folder: URL, of kinds: Set<String>) -> [URL] {
        guard let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else {
            Diagnostics.error("EmbedFiles cannot read \(folder.path).")
            return []
        }
        return found.compactMap { $0 as? URL }.filter { kinds.contains($0.pathExtension) }
    }

    /// The folders at the top of the package that hold the embedded ones. SwiftPM itself watches `Sources`.
    private static func watched(_ folders: [String]) -> [String] {
        Set(folders.compactMap { $0.split(separator: "/").first.map(String.init) }).subtracting(["Sources"]).sorted()
    }

    /// Makes SwiftPM ask this plugin again when a file of the folder gets another name, or comes, or goes: it watches
    /// the folders of prebuild commands. Without it, the next build would miss its inputs. The command itself does
    /// nothing.
    ///
    /// - Parameter folder: holds only folders. Files right in it would become resources of the target.
    private static func watch(_ folder: URL) -> Command {
        .prebuildCommand(
            displayName: "Watching \(folder.lastPathComponent)",
            executable: URL(filePath: "/usr/bin/true"),
            arguments: [],
            outputFilesDirectory: folder
        )
    }
}
