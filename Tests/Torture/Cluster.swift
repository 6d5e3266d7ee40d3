import EmbeddedPostgres
import Foundation
import Postgres

/// A PostgreSQL cluster for the torture, with durable settings, on a Unix socket. If root can mount one, its data is on
/// a small disk of its own.
final class Cluster: Sendable {
    let folder: String
    let disk: Disk
    private let account: ServerAccount
    private let binaries: EmbeddedPostgres.Binaries
    private let password: String
    /// Beside those of every server.
    private let settings: [String]

    var data: String { folder + "/disk/data" }
    var copy: String { folder + "/copy" }
    var socket: String { folder + "/socket/.s.PGSQL.5432" }
    var log: String { folder + ".log" }

    /// The daemons need about 30.
    static let connections = 100

    /// The address without the proxy, for the torture itself.
    var address: PostgresAddress { address(database: "postgres") }

    func address(database: String) -> PostgresAddress {
        PostgresAddress(
            host: folder + "/socket",
            port: 5432,
            database: database,
            user: "tributary",
            password: password
        )
    }

    func address(throughPort port: Int) -> PostgresAddress {
        PostgresAddress(host: "127.0.0.1", port: port, database: "postgres", user: "tributary", password: password)
    }

    /// - Parameters:
    ///   - diskMebibytes: the size of its own disk.
    ///   - citus: whether it is a node of a Citus cluster. Whoever reaches its socket may then log in, as the other
    ///     nodes do.
    init(folder: String, diskMebibytes: Int, citus: Bool = false, reaper: Reaper) throws {
        guard let binaries = EmbeddedPostgres.locate() else { throw TortureFailure("PostgreSQL is not installed") }
        self.folder = folder
        self.binaries = binaries
        settings = citus ? Workers.settings + ["citus.local_hostname=\(folder)/socket"] : []
        account = try ServerAccount.current()
        password =
            String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
        for path in [folder, folder + "/socket"] {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        }
        disk = try Disk(at: folder + "/disk", mebibytes: diskMebibytes, reaper: reaper)
        let passwordFile = folder + "/password"
        _ = FileManager.default.createFile(
            atPath: passwordFile,
            contents: Data(password.utf8),
            attributes: [.posixPermissions: 0o600]
        )
        if !account.isOwn {
            for path in [folder, folder + "/disk", folder + "/socket", passwordFile] {
                guard chown(path, account.user, account.group) == 0 else { throw TortureFailure("chown \(path)") }
            }
        }
        let outcome = account.command([
            binaries.initdb, "-D", data, "--username=tributary", "--auth=\(citus ? "trust" : "scram-sha-256")",
            "--pwfile=\(passwordFile)", "--encoding=UTF8", "--locale=C", "--no-sync",
        ]).run()
        guard outcome.status == 0 else { throw TortureFailure("initdb: \(outcome.output)") }
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        chmod(log, 0o666)
        reaper.watch(cluster: data)
    }

    /// The process id of the postmaster; nil if none runs.
    var process: Int32? {
        guard let text = try? String(contentsOfFile: data + "/postmaster.pid", encoding: .utf8),
            let process = text.split(separator: "\n").first.flatMap({ Int32($0) }),
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")) == data
        else { return nil }
        return process
    }

    /// Starts the server if it does not run, and waits until it answers. It tries again: after a kill, old sessions
    /// take a moment to end, and on a full disk a start fails.
    func start() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            if process == nil { try launch() }
            for _ in 0..<20 where process != nil {
                if await answers() { return }
                try? await Task.sleep(for: .milliseconds(100))
            }
            guard ContinuousClock.now < deadline else { throw TortureFailure("PostgreSQL does not start; see its log") }
            try? await Task.sleep(for: .milliseconds(200))
        }
    }

    private func launch() throws {
        // Not a child of this process, so that nothing has to wait for it.
        let script = #"cd "$0"; log=$1; shift; exec "$@" </dev/null >>"$log" 2>&1 & exit 0"#
        _ = account.command(
            ["/bin/sh", "-c", script, data, log, binaries.postgres, "-D", data]
                + ([
                    "listen_addresses=", "unix_socket_directories=\(folder)/socket",
                    "max_connections=\(Self.connections)",
                    "shared_buffers=64MB", "fsync=on", "synchronous_commit=on", "full_page_writes=on",
                    "max_wal_size=192MB", "min_wal_size=64MB", "wal_recycle=off", "checkpoint_timeout=30s",
                    "dynamic_shared_memory_type=mmap", "jit=off", "log_min_messages=warning",
                ] + settings).flatMap { ["-c", $0] }
        ).run()
        usleep(100_000)
    }

    private func answers() async -> Bool {
        (try? await query("select 1")) != nil
    }

    /// Ends the server.
    ///
    /// - Parameter signal: SIGQUIT for an immediate shutdown, SIGINT for a fast one, or SIGKILL.
    func end(_ signal: Int32) async {
        guard let process else { return }
        kill(process, signal)
        while self.process == process { try? await Task.sleep(for: .milliseconds(20)) }
    }

    /// The postmaster and its children.
    var processes: [Int32] {
        guard let process else { return [] }
        let children = (try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)) ?? ""
        return [process] + children.split(separator: " ").compactMap { Int32($0) }
    }

    @discardableResult
    func query(_ sql: String, timeout: Duration = .seconds(60)) async throws -> Int64? {
        let connection = try await PostgresConnection.connect(
            to: address,
            options: PostgresOptions(
                applicationName: "torture",
                connectTimeout: .seconds(2),
                statementTimeout: timeout
            )
        )
        let value = try await connection.run { connection -> Int64? in
            let result = try connection.query(sql)
            return result.count > 0 ? try? result[0].int64(0) : nil
        }
        await connection.close()
        return value
    }

    func script(_ statements: [String]) async throws {
        let connection = try await PostgresConnection.connect(to: address)
        try await connection.run { connection in
            for statement in statements { try connection.executeScript(statement) }
        }
        await connection.close()
    }
}
