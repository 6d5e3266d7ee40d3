#if canImport(Darwin)
    package import Darwin
#elseif canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#endif

/// The account that the server's programs run as: one's own, or, because PostgreSQL refuses root, an unprivileged one.
package struct ServerAccount: Sendable, Equatable {
    package var name: String
    package var user: uid_t
    package var group: gid_t
    /// What goes before a command to run it as this account; empty for one's own.
    package var prefix: [String]

    package var isOwn: Bool { prefix.isEmpty }

    /// - Parameter owner: who owns the cluster that exists already.
    package static func current(owner: uid_t? = nil) throws(EmbeddedPostgresError) -> ServerAccount {
        let effective = geteuid()
        guard effective == 0 else {
            let name = name(of: effective) ?? String(effective)
            return ServerAccount(name: name, user: effective, group: getegid(), prefix: [])
        }
        let entry: passwd?
        if let owner, owner != 0 {
            entry = getpwuid(owner)?.pointee
        } else {
            entry = (getpwnam("postgres") ?? getpwnam("nobody"))?.pointee
        }
        guard let entry, entry.pw_uid != 0 else {
            throw .accountUnavailable(reason: "neither the account postgres nor nobody exists")
        }
        let account = ServerAccount(
            name: String(cString: entry.pw_name),
            user: entry.pw_uid,
            group: entry.pw_gid,
            prefix: []
        )
        guard let prefix = changers(account).first(where: { File.isExecutable($0[0]) }) else {
            throw .accountUnavailable(reason: "none of setpriv, runuser and su was found")
        }
        return ServerAccount(name: account.name, user: account.user, group: account.group, prefix: prefix)
    }

    /// The ways to run a command as another account, the plainest first.
    static func changers(_ account: ServerAccount) -> [[String]] {
        let folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]
        return folders.map {
            ["\($0)/setpriv", "--reuid=\(account.user)", "--regid=\(account.group)", "--clear-groups", "--"]
        }
            + folders.map {
                ["\($0)/runuser", "-u", account.name, "--"]
            }
            + folders.map {
                // The account's own shell may be one that refuses everybody.
                ["\($0)/su", account.name, "-s", "/bin/sh", "-c", "exec \"$0\" \"$@\"", "--"]
            }
    }

    package func command(
        _ arguments: [String],
        standardInput: Int32? = nil,
        mergesStandardError: Bool = true
    ) -> Command {
        Command(prefix + arguments, standardInput: standardInput, mergesStandardError: mergesStandardError)
    }

    /// The accounts that may connect: the one that made the cluster, and root, whom nothing could keep out.
    static var connecting: [String] {
        let own = name(of: geteuid()) ?? "root"
        return own == "root" ? ["root"] : [own, "root"]
    }

    /// Whether the account can pass through a folder and all above it, as far as the modes tell.
    func canReach(_ folder: String) -> Bool {
        var path = folder
        while true {
            if let status = File.status(path), !canPass(status) { return false }
            guard path != "/", let slash = path.lastIndex(of: "/") else { return true }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }

    private func canPass(_ status: stat) -> Bool {
        if status.st_uid == user { return status.st_mode & S_IXUSR != 0 }
        if status.st_gid == group { return status.st_mode & S_IXGRP != 0 }
        return status.st_mode & S_IXOTH != 0
    }

    private static func name(of user: uid_t) -> String? {
        getpwuid(user).map { String(cString: $0.pointee.pw_name) }
    }
}
