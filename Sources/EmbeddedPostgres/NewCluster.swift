#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Makes a cluster beside its final place and moves it there when it is complete, so that one that was interrupted is
/// never mistaken for a good one.
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
        // All is written to the disk here, once, instead of at each of the steps before.
        try run([binaries.initdb, "-D", draft, "--sync-only"])
        guard rename(draft, folder.data) == 0 else {
            throw .folderUnusable(path: folder.data, reason: String(cString: strerror(errno)))
        }
        SystemFile.synchronise(folder.path)
    }

    /// Replaces initdb's files, whose long comments nobody needs here; what they would set is set here.
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

    /// Whether the server was built with it, and is of a version that has it for its log.
    private func takesLZ4(_ data: String) -> Bool {
        let question = account.command([
            binaries.postgres, "-D", data, "-C", "wal_compression", "-c", "wal_compression=lz4",
        ])
        return (try? question.run())?.status == 0
    }

    /// In single-user mode, so that there is no moment at which the cluster serves without its database.
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
