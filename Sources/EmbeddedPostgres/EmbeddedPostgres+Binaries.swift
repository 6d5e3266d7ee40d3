#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

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
        var seen: Set<String> = []
        var result: [Binaries] = []
        for candidate in folders {
            // initdb searches for the other programs beside itself, where the links in its path lead.
            guard let folder = trueFolder(candidate), seen.insert(folder).inserted else { continue }
            guard SystemFile.isExecutable(folder + "/postgres"), let release = release(folder) else { continue }
            guard let version = Int(release.prefix(while: \.isNumber)) else { continue }
            result.append(Binaries(folder: folder, version: version, release: release))
        }
        return result.enumerated()
            .sorted { ($1.element.version, $0.offset) < ($0.element.version, $1.offset) }
            .map(\.element)
    }

    static func searchedFolders() -> [String] {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let onPath = path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        var folders = onPath
        for folder in onPath where SystemFile.isExecutable(folder + "/pg_config") {
            if let outcome = try? SystemCommand([folder + "/pg_config", "--bindir"]).run(), outcome.status == 0 {
                folders += outcome.output.split(separator: "\n").map(String.init)
            }
            break
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

    /// The folder of a folder's `initdb` with links resolved; nil if there is no `initdb`.
    private static func trueFolder(_ folder: String) -> String? {
        let initdb = folder + "/initdb"
        guard SystemFile.isExecutable(initdb), let resolved = realpath(initdb, nil) else { return nil }
        defer { free(resolved) }
        let path = String(cString: resolved)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }

    /// What follows the name in `postgres (PostgreSQL) 15.18 (Debian …)`. A running server says the same of itself
    /// (`server_version`).
    private static func release(_ folder: String) -> String? {
        guard let outcome = try? SystemCommand([folder + "/postgres", "--version"]).run(), outcome.status == 0,
            let start = outcome.output.firstRange(of: ") ")?.upperBound
        else { return nil }
        return String(outcome.output[start...].prefix { $0 != "\n" })
    }
}
