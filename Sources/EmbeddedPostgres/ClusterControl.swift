import Foundation
import Logging
import Postgres

/// Creates, starts and stops the cluster, blocking. It changes the cluster only under the cluster's lock.
struct ClusterControl {
    let home: String
    /// Where server programs are searched; nil: in the usual folders.
    let programFolders: [String]?
    let cancellation: StartCancellation
    let logger: Logger?

    func start() throws(EmbeddedPostgresError) -> PostgresAddress {
        let (folder, account) = try folderAndAccount()
        return try whileLocked(folder) { () throws(EmbeddedPostgresError) in
            // Another program may have started the server while this one waited for the lock.
            if let server = PostmasterFile(data: folder.data), server.isListening {
                return EmbeddedPostgres.address(server)
            }
            return try start(folder, account, binaries(for: folder))
        }
    }

    /// Stops the server and starts it with the installed programs. If another program has done so already, it only
    /// waits for the server.
    ///
    /// - Parameter process: the server to replace.
    func restart(replacing process: Int32) throws(EmbeddedPostgresError) -> PostgresAddress {
        let (folder, account) = try folderAndAccount()
        return try whileLocked(folder) { () throws(EmbeddedPostgresError) in
            // First of all: a server that could not start again must not be stopped.
            let binaries = try binaries(for: folder)
            if let server = PostmasterFile(data: folder.data), server.isServing(folder.data) {
                if server.process == process {
                    try stop(server, folder)
                } else if server.isListening {
                    return EmbeddedPostgres.address(server)
                }
            }
            return try start(folder, account, binaries)
        }
    }

    /// Callers hold the cluster's lock.
    private func start(
        _ folder: ClusterFolder,
        _ account: ServerAccount,
        _ binaries: EmbeddedPostgres.Binaries
    ) throws(EmbeddedPostgresError) -> PostgresAddress {
        if !SystemFile.isFolder(folder.data) {
            logger?.notice("creating a private PostgreSQL cluster", metadata: ["folder": "\(folder.path)"])
            try NewCluster(folder: folder, account: account, binaries: binaries).make()
        }
        let launch = ServerLaunch(folder: folder, account: account, binaries: binaries, cancellation: cancellation)
        let server = try launch.run()
        logger?.notice("started the private PostgreSQL server", metadata: ["process": "\(server.process)"])
        return EmbeddedPostgres.address(server)
    }

    /// Holds the lock under which a program creates, starts or stops the cluster, so that programs that start together
    /// do this once. The system releases it when the holder dies.
    private func whileLocked<R>(
        _ folder: ClusterFolder,
        _ body: () throws(EmbeddedPostgresError) -> R
    ) throws(EmbeddedPostgresError) -> R {
        // The server's account could put a link here; it is not followed.
        let lock = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw SystemFile.unusable(folder.lock) }
        defer { close(lock) }
        // Longer than a slow start.
        try cancellation.wait(atMost: .seconds(150), orThrow: .locked(path: folder.lock)) {
            flock(lock, LOCK_EX | LOCK_NB) == 0 ? () : nil
        }
        try cancellation.check()
        return try body()
    }

    /// The programs that the cluster is started with; nil if there is no cluster.
    func programs() throws(EmbeddedPostgresError) -> EmbeddedPostgres.Binaries? {
        guard let folder = ClusterFolder.existing(home: home) else { return nil }
        return try binaries(for: folder)
    }

    /// The address that the server of an existing cluster will have; nil if there is no cluster.
    func expectedAddress() throws(EmbeddedPostgresError) -> PostgresAddress? {
        guard let folder = ClusterFolder.existing(home: home) else { return nil }
        return EmbeddedPostgres.address(
            socketFolder: try folder.makeSocketFolder(account: try account(of: folder)),
            port: ServerSettings.port
        )
    }

    func stop() throws(EmbeddedPostgresError) {
        guard let folder = ClusterFolder.existing(home: home) else { return }
        _ = try account(of: folder)
        try whileLocked(folder) { () throws(EmbeddedPostgresError) in
            guard let server = PostmasterFile(data: folder.data), server.isServing(folder.data) else { return }
            try stop(server, folder)
        }
    }

    private func stop(_ server: PostmasterFile, _ folder: ClusterFolder) throws(EmbeddedPostgresError) {
        // SIGINT is PostgreSQL's "fast" shutdown.
        guard kill(server.process, SIGINT) == 0 else {
            if errno == ESRCH { return }
            throw .stopFailed(process: server.process)
        }
        try cancellation.wait(atMost: .seconds(60), orThrow: .stopFailed(process: server.process)) {
            PostmasterFile.isAlive(server.process) ? nil : ()
        }
        logger?.notice("stopped the private PostgreSQL server", metadata: ["process": "\(server.process)"])
    }

    private func folderAndAccount() throws(EmbeddedPostgresError) -> (ClusterFolder, ServerAccount) {
        if let folder = ClusterFolder.existing(home: home) {
            return (folder, try account(of: folder))
        }
        // Checked before anything is created: without programs, a folder is useless.
        guard newest() != nil else { throw missingBinaries() }
        let account = try ServerAccount.current()
        return (try ClusterFolder.make(home: home, account: account), account)
    }

    /// The account that created the cluster; the cluster keeps it.
    private func account(of folder: ClusterFolder) throws(EmbeddedPostgresError) -> ServerAccount {
        let owner = SystemFile.status(folder.data)?.st_uid
        let account = try ServerAccount.current(owner: owner)
        guard owner == account.user else {
            throw .folderUnusable(path: folder.data, reason: "it belongs to another account")
        }
        return account
    }

    private func binaries(for folder: ClusterFolder) throws(EmbeddedPostgresError) -> EmbeddedPostgres.Binaries {
        guard let text = SystemFile.read(folder.data + "/PG_VERSION"),
            let needed = Int(text.prefix(while: \.isNumber))
        else {
            guard let newest = newest() else { throw missingBinaries() }
            return newest
        }
        let installed = installed()
        if let match = installed.first(where: { $0.version == needed }) { return match }
        guard !installed.isEmpty else { throw missingBinaries() }
        throw .versionMissing(needed: needed, installed: installed.map(\.version), data: folder.data)
    }

    private func installed() -> [EmbeddedPostgres.Binaries] {
        EmbeddedPostgres.installed(in: programFolders ?? EmbeddedPostgres.searchedFolders())
    }

    private func newest() -> EmbeddedPostgres.Binaries? {
        installed().first { $0.version >= EmbeddedPostgres.oldestVersion }
    }

    private func missingBinaries() -> EmbeddedPostgresError {
        let installed = installed().map(\.version)
        return installed.isEmpty
            ? .notInstalled(searched: programFolders ?? EmbeddedPostgres.searchedFolders())
            : .tooOld(installed: installed, oldest: EmbeddedPostgres.oldestVersion)
    }
}
