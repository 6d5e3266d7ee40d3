#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Creates a cluster in a draft folder and renames the folder when it is complete. So an interrupted creation is never
/// mistaken for a good cluster.
struct NewCluster {
    let folder: ClusterFolder
    let account: ServerAccount
    let binaries: EmbeddedPostgres.Binaries

    func make() throws(EmbeddedPostgresError) {
        let draft = folder.path + "/data.new"
        SystemFile.removeTree(draft)
        do throws(SystemFile.Failure) {
            try SystemFile.makeFolder(draft, mode: 0o700)
            if !account.isOwn {
                try SystemFile.changeOwner(draft, user: account.user, group: account.group)
            }
        } catch {
            throw EmbeddedPostgresError.folderUnusable(path: error.path, reason: error.reason)
        }
        try run([
            binaries.initdb, "-D", draft, "--username=\(ServerSettings.superuser)", "--auth=peer", "--encoding=UTF8",
            "--locale=C", "--data-checksums", "--no-sync",
        ])
        try configure(draft)
        try makeDatabase(draft)
        // The steps before do not sync. This syncs everything once.
        try run([binaries.initdb, "-D", draft, "--sync-only"])
        guard rename(draft, folder.data) == 0 else {
            throw .folderUnusable(path: folder.data, reason: String(cString: strerror(errno)))
        }
        SystemFile.synchronise(folder.path)
    }

    /// Replaces initdb's configuration files by short ones, which set the same values explicitly.
    private func configure(_ data: String) throws(EmbeddedPostgresError) {
        let settings = ServerSettings.configuration(
            memoryMegabytes: ServerSettings.memoryMegabytes,
            compressesByLZ4: takesLZ4(data)
        )
        do throws(SystemFile.Failure) {
            let files = [
                ("postgresql.conf", settings),
                ("pg_hba.conf", ServerSettings.hostBasedAuthentication),
                ("pg_ident.conf", ServerSettings.identityMap(ServerAccount.connecting)),
            ]
            for (name, content) in files {
                try SystemFile.write(content, to: data + "/" + name, mode: 0o600)
                if !account.isOwn {
                    try SystemFile.changeOwner(data + "/" + name, user: account.user, group: account.group)
                }
            }
        } catch {
            throw EmbeddedPostgresError.folderUnusable(path: error.path, reason: error.reason)
        }
    }

    /// Whether this version of the server can compress its log by LZ4, and was built with it.
    private func takesLZ4(_ data: String) -> Bool {
        let question = account.command([
            binaries.postgres, "-D", data, "-C", "wal_compression", "-c", "wal_compression=lz4",
        ])
        return (try? question.run())?.status == 0
    }

    /// Creates the database in single-user mode, so that the server never runs without it.
    private func makeDatabase(_ data: String) throws(EmbeddedPostgresError) {
        try run([
            "/bin/sh", "-c", "echo \"create database $0\" | \"$@\"", ServerSettings.database, binaries.postgres,
            "--single",
            "-D", data, "-c", "log_min_messages=error", "-c", "fsync=off", "template1",
        ])
    }

    private func run(_ arguments: [String]) throws(EmbeddedPostgresError) {
        let outcome: SystemCommand.Outcome
        do throws(SystemCommand.Failure) {
            outcome = try account.command(arguments).run()
        } catch {
            throw .initialisationFailed(output: "\(error)")
        }
        let failed = outcome.status != 0 || outcome.output.contains("ERROR:") || outcome.output.contains("FATAL:")
        if failed {
            throw .initialisationFailed(output: outcome.output.isEmpty ? "status \(outcome.status)" : outcome.output)
        }
    }
}
