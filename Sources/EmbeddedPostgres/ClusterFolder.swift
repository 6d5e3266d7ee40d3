import Foundation

/// The folder of a cluster: `<home>/postgres`, with `data`, `run` (the socket) and `lock`. If the program runs as root
/// and the server's account cannot reach the home, the folder is elsewhere, and `<home>/postgres/location` names it.
struct ClusterFolder: Equatable {
    /// The folder that contains `data` and `lock`.
    let path: String
    /// A hash of the home's path. It differs from that of other homes.
    let identity: String

    var data: String { path + "/data" }
    var lock: String { path + "/lock" }
    var log: String { data + "/server.log" }

    /// The folder of an existing cluster; nil if the home has none.
    static func existing(home: String) -> ClusterFolder? {
        let home = SystemFile.absolute(home)
        let own = ClusterFolder(path: home + "/postgres", identity: hash(home))
        if SystemFile.isFolder(own.data) { return own }
        guard let text = SystemFile.read(own.path + "/location") else { return nil }
        // The first line is the folder; the rest explains it.
        guard let path = text.split(separator: "\n").first, path.hasPrefix("/") else { return nil }
        let moved = ClusterFolder(path: String(path), identity: own.identity)
        return SystemFile.isFolder(moved.data) ? moved : nil
    }

    /// Chooses and creates the folder for a new cluster.
    static func make(home: String, account: ServerAccount) throws(EmbeddedPostgresError) -> ClusterFolder {
        let home = SystemFile.absolute(home)
        let own = ClusterFolder(path: home + "/postgres", identity: hash(home))
        // Another account must be able to pass through the folder, but not to read it.
        try SystemFile.makeFolder(own.path, mode: account.isOwn ? 0o700 : 0o711)
        return account.canReach(own.path) ? own : try own.move(unreachableHome: home, account: account)
    }

    /// Creates a folder that the server's account can reach, and notes it in the home.
    private func move(
        unreachableHome home: String,
        account: ServerAccount
    ) throws(EmbeddedPostgresError) -> ClusterFolder {
        let moved = ClusterFolder(path: "/var/lib/tributary/\(identity)", identity: identity)
        try SystemFile.makeFolder(moved.path, mode: 0o711)
        let note = """
            \(moved.path)
            PostgreSQL does not run as root. Its account here, \(account.name), cannot reach \(home),
            so the data lies in the folder above.

            """
        do {
            try note.write(toFile: path + "/location", atomically: true, encoding: .utf8)
        } catch {
            throw .folderUnusable(path: path + "/location", reason: error.localizedDescription)
        }
        return moved
    }

    /// A folder for the server's socket that only the server's account and this one can enter.
    func makeSocketFolder(account: ServerAccount) throws(EmbeddedPostgresError) -> String {
        var candidates = [path + "/run"]
        for base in [ProcessInfo.processInfo.environment["TMPDIR"], "/tmp"].compactMap({ $0 }) {
            let name = "tributary-\(geteuid())-\(identity)"
            candidates += (0..<4).map { SystemFile.absolute(base) + "/" + name + ($0 == 0 ? "" : "-\($0)") }
        }
        for candidate in candidates where Self.isFitForSocket(candidate) {
            if Self.makePrivate(candidate, account: account), account.canReach(candidate) { return candidate }
        }
        throw .folderUnusable(path: path, reason: "no private folder for the server's socket can be created")
    }

    /// Whether a socket can be in a folder. A socket's path is limited to 108 bytes with the final 0 on Linux and to
    /// 104 on macOS. libpq would read a comma as the separator of a list.
    static func isFitForSocket(_ folder: String) -> Bool {
        folder.utf8.count + "/.s.PGSQL.5432.lock".utf8.count < 104
            && folder.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/.-_".contains($0)) }
    }

    /// - Returns: false if the name is taken by something that another account could have created.
    private static func makePrivate(_ folder: String, account: ServerAccount) -> Bool {
        // The folder gets this account's group, because a root with fewer rights may not be able to pass otherwise.
        let mode: mode_t = account.isOwn ? 0o700 : 0o750
        if mkdir(folder, 0o700) == 0 {
            guard account.isOwn || lchown(folder, account.user, getegid()) == 0 else { return false }
            return chmod(folder, mode) == 0
        }
        guard errno == EEXIST, let status = SystemFile.status(folder, followingLinks: false) else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == account.user && status.st_mode & 0o7777 == mode
    }

    /// FNV-1a with 64 bits. It makes a name, and need not be secure.
    static func hash(_ text: String) -> String {
        let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(format: "%016lx", hash)
    }
}
