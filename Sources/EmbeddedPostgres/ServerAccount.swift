package import Foundation

/// The account that runs the server's programs: the current account or, because PostgreSQL refuses root, an
/// unprivileged one.
package struct ServerAccount: Sendable, Equatable {
    package var name: String
    package var user: uid_t
    package var group: gid_t
    /// The words before a command that run it as this account; empty for the current account.
    package var prefix: [String]

    package var isOwn: Bool { prefix.isEmpty }

    /// - Parameter owner: the owner of the existing cluster; nil if there is none.
    package static func current(owner: uid_t? = nil) throws(EmbeddedPostgresError) -> ServerAccount {
        let effective = geteuid()
        guard effective == 0 else {
            return entry(of: effective)
                ?? ServerAccount(name: String(effective), user: effective, group: getegid(), prefix: [])
        }
        let candidate =
            owner.flatMap { $0 == 0 ? nil : entry(of: $0) } ?? entry(named: "postgres") ?? entry(named: "nobody")
        guard var account = candidate, account.user != 0 else {
            throw .accountUnavailable(reason: "neither the account postgres nor nobody exists")
        }
        guard let prefix = changers(account).first(where: { SystemFile.isExecutable($0[0]) }) else {
            throw .accountUnavailable(reason: "none of setpriv, runuser and su was found")
        }
        account.prefix = prefix
        return account
    }

    /// The ways to run a command as another account, the simplest first.
    static func changers(_ account: ServerAccount) -> [[String]] {
        let ways = [
            ["setpriv", "--reuid=\(account.user)", "--regid=\(account.group)", "--clear-groups", "--"],
            ["runuser", "-u", account.name, "--"],
            // The account's own shell may be one that refuses logins.
            ["su", account.name, "-s", "/bin/sh", "-c", "exec \"$0\" \"$@\"", "--"],
        ]
        return ways.flatMap { way in
            ["/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/"].map { [$0 + way[0]] + way.dropFirst() }
        }
    }

    package func command(_ words: [String], standardInput: Int32? = nil) -> SystemCommand {
        SystemCommand(prefix + words, standardInput: standardInput)
    }

    /// The accounts that may connect: the one that created the cluster, and root, which could not be kept out anyway.
    static var connecting: [String] {
        let own = entry(of: geteuid())?.name ?? "root"
        return own == "root" ? ["root"] : [own, "root"]
    }

    /// Whether the account can enter a folder, which this program has made.
    func canReach(_ folder: String) -> Bool {
        isOwn || command(["/bin/sh", "-c", "cd \"$0\"", folder]).run().status == 0
    }

    private static func entry(of user: uid_t) -> ServerAccount? {
        entry { getpwuid_r(user, $0, $1, $2, $3) }
    }

    private static func entry(named name: String) -> ServerAccount? {
        entry { getpwnam_r(name, $0, $1, $2, $3) }
    }

    private static func entry(
        _ look: (
            UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
        ) -> Int32
    ) -> ServerAccount? {
        var record = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16 * 1024)
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress, look(&record, base, buffer.count, &found) == 0, found != nil else {
                return nil
            }
            let name = String(cString: record.pw_name)
            return ServerAccount(name: name, user: record.pw_uid, group: record.pw_gid, prefix: [])
        }
    }
}
