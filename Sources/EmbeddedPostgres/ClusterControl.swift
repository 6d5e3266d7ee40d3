#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Logging
import Postgres

/// Creates, starts and stops the cluster, blocking. It changes the cluster only under the cluster's lock.
struct ClusterControl {
    private let home: String
    private let logger: Logger?

    init(home: String, logger: Logger?) {
        self.home = home
        self.logger = logger
    }

    func start() throws(EmbeddedPostgresError) -> PostgresAddress {
        let (folder, account) = try folderAndAccount()
        return try ClusterLock(path: folder.lock).whileHeld { () throws(EmbeddedPostgresError) in
            // Another program may have started the server while this one waited for the lock.
            if let server = PostmasterFile(data: folder.data), server.isListening {
                return EmbeddedPostgres.address(server)
            }
            let binaries = try binaries(for: folder)
            if !SystemFile.isFolder(folder.data) {
                logger?.notice("creating a private PostgreSQL cluster", metadata: ["folder": "\(folder.path)"])
                try NewCluster(folder: folder, account: account, binaries: binaries).make()
            }
            let server = try ServerLaunch(folder: folder, account: account, binaries: binaries).run()
            logger?.notice("started the private PostgreSQL server", metadata: ["process": "\(server.process)"])
            return EmbeddedPostgres.address(server)
        }
    }

    func stop() throws(EmbeddedPostgresError) {
        guard let folder = ClusterFolder.existing(home: home) else { return }
        _ = try account(of: folder)
        try ClusterLock(path: folder.lock).whileHeld { () throws(EmbeddedPostgresError) in
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
        let deadline = ContinuousClock.now + .seconds(60)
        while PostmasterFile.isAlive(server.process) {
            guard ContinuousClock.now < deadline else { throw .stopFailed(process: server.process) }
            usleep(5_000)
        }
        logger?.notice("stopped the private PostgreSQL server", metadata: ["process": "\(server.process)"])
    }

    private func folderAndAccount() throws(EmbeddedPostgresError) -> (ClusterFolder, ServerAccount) {
        if let folder = ClusterFolder.existing(home: home) {
            return (folder, try account(of: folder))
        }
        // Checked before anything is created: without programs, a folder is useless.
        guard EmbeddedPostgres.locate() != nil else { throw Self.missingBinaries() }
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
        guard let text = try? SystemFile.read(folder.data + "/PG_VERSION"),
            let needed = Int(text.prefix(while: \.isNumber))
        else {
            guard let newest = EmbeddedPostgres.locate() else { throw Self.missingBinaries() }
            return newest
        }
        let installed = EmbeddedPostgres.installed()
        if let match = installed.first(where: { $0.version == needed }) { return match }
        guard !installed.isEmpty else { throw Self.missingBinaries() }
        throw .versionMissing(needed: needed, installed: installed.map(\.version), data: folder.data)
    }

    private static func missingBinaries() -> EmbeddedPostgresError {
        let installed = EmbeddedPostgres.installed().map(\.version)
        return installed.isEmpty
            ? .notInstalled(searched: EmbeddedPostgres.searchedFolders())
            : .tooOld(installed: installed, oldest: EmbeddedPostgres.oldestVersion)
    }
}
