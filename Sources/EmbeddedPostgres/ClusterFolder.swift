#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where a cluster lies: `<home>/postgres`, with `data`, `run` (the socket), `lock` and, under root, `location` if the
/// server's account cannot reach the home.
struct ClusterFolder: Equatable {
    /// Holds `data` and `lock`.
    let path: String
    /// Tells this cluster from those of other homes.
    let identity: String

    var data: String { path + "/data" }
    var lock: String { path + "/lock" }
    var log: String { data + "/server.log" }

    /// The cluster of a home that has one.
    static func existing(home: String) -> ClusterFolder? {
        let home = SystemFile.absolute(home)
        let own = ClusterFolder(path: home + "/postgres", identity: hash(home))
        if SystemFile.isFolder(own.data) { return own }
        guard let text = try? SystemFile.read(own.path + "/location") else { return nil }
        // The first line is the folder; the rest explains it.
        guard let path = text.split(separator: "\n").first, path.hasPrefix("/") else { return nil }
        let moved = ClusterFolder(path: String(path), identity: own.identity)
        return SystemFile.isFolder(moved.data) ? moved : nil
    }

    /// Chooses and makes the folder for a new cluster.
    static func make(home: String, account: ServerAccount) throws(EmbeddedPostgresError) -> ClusterFolder {
        let home = SystemFile.absolute(home)
        let own = ClusterFolder(path: home + "/postgres", identity: hash(home))
        do throws(SystemFile.Failure) {
            // Another account must pass through, and needs no more than that.
            try SystemFile.makeFolder(own.path, mode: account.isOwn ? 0o700 : 0o711)
            if account.canReach(own.path) { return own }
            return try own.move(unreachableHome: home, account: account)
        } catch {
            throw .folderUnusable(path: error.path, reason: error.reason)
        }
    }

    /// Takes a place that the server's account can reach, and notes it in the home.
    private func move(
        unreachableHome home: String,
        account: ServerAccount
    ) throws(SystemFile.Failure) -> ClusterFolder {
        let moved = ClusterFolder(path: "/var/lib/tributary/\(identity)", identity: identity)
        try SystemFile.makeFolder(moved.path, mode: 0o711)
        try SystemFile.write(
            """
            \(moved.path)
            PostgreSQL does not run as root. Its account here, \(account.name), cannot reach \(home),
            so the data lies in the folder above.

            """,
            to: path + "/location",
            mode: 0o644
        )
        return moved
    }

    /// A folder for the server's socket that only the server's account and this one can enter.
    func makeSocketFolder(account: ServerAccount) throws(EmbeddedPostgresError) -> String {
        var candidates = [path + "/run"]
        for base in [getenv("TMPDIR").map { String(cString: $0) }, "/tmp"].compactMap({ $0 }) {
            let name = "tributary-\(geteuid())-\(identity)"
            candidates += (0..<4).map { SystemFile.absolute(base) + "/" + name + ($0 == 0 ? "" : "-\($0)") }
        }
        for candidate in candidates where Self.isFitForSocket(candidate) {
            if Self.makePrivate(candidate, account: account), account.canReach(candidate) {
                return candidate
            }
        }
        throw EmbeddedPostgresError.folderUnusable(
            path: path,
            reason: "there is no private folder for the server's socket"
        )
    }

    /// A socket's path has 108 bytes with its end on Linux, 104 on macOS, and libpq reads a comma as a list.
    static func isFitForSocket(_ folder: String) -> Bool {
        folder.utf8.count + "/.s.PGSQL.5432.lock".utf8.count < 104
            && folder.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                    UInt8(ascii: "_"):
                    true
                default:
                    false
                }
            }
    }

    /// - Returns: false if the name is taken by what somebody else could have put there.
    private static func makePrivate(_ folder: String, account: ServerAccount) -> Bool {
        // The group is this account's, for a root that may not pass everywhere.
        let mode: mode_t = account.isOwn ? 0o700 : 0o750
        if mkdir(folder, 0o700) == 0 {
            guard account.isOwn || lchown(folder, account.user, getegid()) == 0 else { return false }
            return chmod(folder, mode) == 0
        }
        guard errno == EEXIST, let status = SystemFile.status(folder, followingLinks: false) else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == account.user && status.st_mode & 0o7777 == mode
    }

    /// FNV-1a, 64 bits: a name, no secret.
    static func hash(_ text: String) -> String {
        let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
