import Foundation

/// Creates a cluster in a draft folder and renames the folder when it is complete. So an interrupted creation is never
/// mistaken for a good cluster.
struct NewCluster {
    let folder: ClusterFolder
    let account: ServerAccount
    let binaries: EmbeddedPostgres.Binaries

    func make() throws(EmbeddedPostgresError) {
        let draft = folder.path + "/data.new"
        try? FileManager.default.removeItem(atPath: draft)
        try SystemFile.makeFolder(draft, mode: 0o700)
        try SystemFile.changeOwner(draft, to: account)
        let outcome = account.command(["/bin/sh", "-c", Self.script, draft, binaries.folder] + files).run()
        // In single-user mode, a failed statement is no failure of the program.
        guard outcome.status == 0, !outcome.output.contains("ERROR:") else {
            throw .initialisationFailed(output: outcome.output.isEmpty ? "status \(outcome.status)" : outcome.output)
        }
        guard rename(draft, folder.data) == 0 else { throw SystemFile.unusable(folder.data) }
        let list = open(folder.path, O_RDONLY | O_CLOEXEC)
        fsync(list)
        close(list)
    }

    /// The configuration, in the order of the script's parameters.
    private var files: [String] {
        [
            ServerSettings.configuration(),
            ServerSettings.hostBasedAuthentication,
            ServerSettings.identityMap(ServerAccount.connecting),
        ]
    }

    /// Replaces initdb's configuration files by short ones, which set the same values explicitly. Creates the database
    /// in single-user mode, so that the server never runs without it. Prints only errors.
    private static let script = """
        set -e
        umask 077
        exec >/dev/null
        "$1/initdb" -D "$0" --username=\(ServerSettings.superuser) --auth=peer --encoding=UTF8 --locale=C \\
            --data-checksums --no-sync
        printf %s "$2" >"$0/postgresql.conf"
        printf %s "$3" >"$0/pg_hba.conf"
        printf %s "$4" >"$0/pg_ident.conf"
        # PostgreSQL's own method takes several times as long as LZ4, which not every server was built with.
        if "$1/postgres" -D "$0" -C wal_compression -c wal_compression=lz4 2>/dev/null; then
            echo 'wal_compression = lz4' >>"$0/postgresql.conf"
        else
            echo 'wal_compression = on' >>"$0/postgresql.conf"
        fi
        echo 'create database \(ServerSettings.database)' |
            "$1/postgres" --single -D "$0" -c log_min_messages=error -c fsync=off template1
        # The steps before do not sync. This syncs everything once.
        "$1/initdb" -D "$0" --sync-only
        """
}
