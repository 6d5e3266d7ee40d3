import Foundation

extension EmbeddedPostgres {
    /// The server programs of one installed PostgreSQL.
    package struct Binaries: Sendable, Equatable {
        package let folder: String
        /// The major version, for example 15.
        package let version: Int
        /// The full version as the programs print it, for example `15.18 (Debian 15.18-0+deb12u1)`.
        package let release: String

        package var initdb: String { folder + "/initdb" }
        package var postgres: String { folder + "/postgres" }
    }

    /// The oldest supported major version.
    static let oldestVersion = 13

    /// The newest installed server programs; nil if none is new enough.
    package static func locate() -> Binaries? {
        installed().first { $0.version >= oldestVersion }
    }

    /// All installed versions, newest first.
    static func installed(in folders: [String] = searchedFolders()) -> [Binaries] {
        var result: [Binaries] = []
        for initdb in folders.map({ $0 + "/initdb" }) where SystemFile.isExecutable(initdb) {
            // initdb searches for the other programs beside itself, where the links in its path lead.
            let folder = (initdb as NSString).resolvingSymlinksInPath.dropLast("/initdb".count)
            guard !result.contains(where: { $0.folder == folder }), let release = release(String(folder)),
                let version = Int(release.prefix(while: \.isNumber))
            else { continue }
            result.append(Binaries(folder: String(folder), version: version, release: release))
        }
        // The sort is stable: of several installations of one version, the first stays the first.
        return result.sorted { $0.version > $1.version }
    }

    static func searchedFolders() -> [String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        var folders = path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        if let config = folders.map({ $0 + "/pg_config" }).first(where: SystemFile.isExecutable),
            case let outcome = SystemCommand([config, "--bindir"]).run(), outcome.status == 0
        {
            folders += outcome.output.split(separator: "\n").map(String.init)
        }
        let patterns = [
            "/usr/lib/postgresql/*/bin",  // Debian, Ubuntu
            "/usr/pgsql-*/bin",  // PostgreSQL's own RPMs
            "/usr/lib/postgresql*/bin", "/usr/libexec/postgresql*",  // SUSE, Alpine
            "/usr/bin",  // Fedora, Arch
            "/usr/local/pgsql/bin",  // from source
            "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin",  // Homebrew
            "/home/linuxbrew/.linuxbrew/opt/postgresql*/bin",
            "/Applications/Postgres.app/Contents/Versions/*/bin",
        ]
        return folders + patterns.flatMap(expand)
    }

    private static func expand(_ pattern: String) -> [String] {
        var matches = glob_t()
        defer { globfree(&matches) }
        guard glob(pattern, 0, nil, &matches) == 0 else { return [] }
        return (0..<Int(matches.gl_pathc)).compactMap { index in
            matches.gl_pathv[index].map { String(cString: $0) }
        }
    }

    /// What follows the name in `postgres (PostgreSQL) 15.18 (Debian …)`. A running server says the same of itself
    /// (`server_version`).
    private static func release(_ folder: String) -> String? {
        let outcome = SystemCommand([folder + "/postgres", "--version"]).run()
        guard outcome.status == 0, let start = outcome.output.firstRange(of: ") ")?.upperBound else { return nil }
        return String(outcome.output[start...].prefix { $0 != "\n" })
    }
}
