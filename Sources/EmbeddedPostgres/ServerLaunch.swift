import Foundation

/// Starts the server of a cluster and waits until it accepts connections. Callers hold the cluster's lock.
struct ServerLaunch {
    /// The time limit. A recovery after a crash reads the log since the last checkpoint, at most `max_wal_size`.
    private static let patience: Duration = .seconds(120)

    let folder: ClusterFolder
    let account: ServerAccount
    let binaries: EmbeddedPostgres.Binaries
    /// Ends the wait. A server that is launched already goes on starting.
    let cancellation: StartCancellation

    func run() throws(EmbeddedPostgresError) -> PostmasterFile {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            if let server = try clearStaleFiles() { return server }
            try cancellation.check()
            do throws(EmbeddedPostgresError) {
                return try launch(atMost: deadline - .now)
            } catch {
                // If only the server process was killed, its sessions need a moment to notice it and leave the shared
                // memory.
                guard case .startFailed(_, let log) = error, log.contains("shared memory block"),
                    ContinuousClock.now < deadline
                else { throw error }
            }
            usleep(200_000)
        }
    }

    private func launch(atMost patience: Duration) throws(EmbeddedPostgresError) -> PostmasterFile {
        let socketFolder = try folder.makeSocketFolder(account: account)
        // The shell ends immediately, so that the server is not a child of this process. All values are arguments, so
        // nothing needs quoting. The server starts a new log, and the previous one is kept.
        let output = try shell(
            #"umask 077; cd /; mv -f "$0" "$0.old" 2>/dev/null; exec "$@" </dev/null >"$0" 2>&1 & echo $!"#,
            [folder.log, binaries.postgres]
                + ServerSettings.arguments(data: folder.data, socketFolder: socketFolder)
        )
        guard let process = pid_t(output.filter { !$0.isWhitespace }) else { throw failure(output) }
        // After the time limit, the server goes on: an interrupted recovery would begin again, and never end. The next
        // start waits for it.
        return try cancellation.wait(atMost: patience, orThrow: failure("not ready after \(Self.patience)")) {
            () throws(EmbeddedPostgresError) in
            if let server = PostmasterFile(data: folder.data), server.process == process, server.isListening {
                return server
            }
            guard PostmasterFile.isAlive(process) else { throw failure("the server ended") }
            return nil
        }
    }

    /// Prepares the `postmaster.pid` of a dead server.
    ///
    /// PostgreSQL replaces the file itself, unless a process of the account has the dead server's number. That is
    /// common in containers, and if the dead process has not been reaped. So the number is replaced by one that no
    /// process has. The rest of the file stays: with it, PostgreSQL finds sessions that are still alive.
    ///
    /// - Returns: the server, if it is running after all.
    private func clearStaleFiles() throws(EmbeddedPostgresError) -> PostmasterFile? {
        let path = PostmasterFile.path(data: folder.data)
        guard let text = SystemFile.read(path) else { return nil }
        guard let server = PostmasterFile(text: text) else {
            try setAside(path)
            return nil
        }
        // The server may be stopping, or recovering because another program started it without the lock.
        guard !server.isServing(folder.data) else { return try waitForOther(server) }
        _ = try shell(
            #"umask 077; printf %s "$1" >"$0.new" && mv -f "$0.new" "$0""#,
            [path, "\(pid_t.max)\(text.drop { $0 != "\n" })"]
        )
        if !server.socketFolder.isEmpty {
            unlink(server.socketPath)
            unlink(server.socketPath + ".lock")
        }
        return nil
    }

    /// A file that names no process, as a full or failing disk leaves it, would keep PostgreSQL from starting for ever.
    private func setAside(_ path: String) throws(EmbeddedPostgresError) {
        guard PostmasterFile.server(of: folder.data) == nil else {
            throw failure("\(path) names no process, but one runs in its folder; PostgreSQL ends it within a minute")
        }
        guard rename(path, path + ".bad") == 0 || errno == ENOENT else {
            throw failure("\(path) names no process: remove it")
        }
    }

    private func waitForOther(_ server: PostmasterFile) throws(EmbeddedPostgresError) -> PostmasterFile? {
        // A server whose socket is gone cannot be reached. The server of a deleted home at this path removes the socket
        // when it notices and ends.
        if let current = PostmasterFile(data: folder.data), current.isReady,
            SystemFile.status(current.socketPath) == nil
        {
            kill(server.process, SIGINT)
        }
        let timeout = "process \(server.process) neither serves nor ends"
        return try cancellation.wait(atMost: Self.patience, orThrow: failure(timeout)) { () -> PostmasterFile?? in
            if let current = PostmasterFile(data: folder.data), current.isListening { return current }
            return PostmasterFile.isAlive(server.process) ? nil : .some(nil)
        }
    }

    /// Runs a script as the server's account, which owns the files that it writes.
    private func shell(_ script: String, _ arguments: [String]) throws(EmbeddedPostgresError) -> String {
        let outcome = account.command(["/bin/sh", "-c", script] + arguments).run()
        guard outcome.status == 0 else {
            throw .startFailed(reason: outcome.output.isEmpty ? "status \(outcome.status)" : outcome.output, log: "")
        }
        return outcome.output
    }

    private func failure(_ reason: String) -> EmbeddedPostgresError {
        .startFailed(reason: reason, log: String((SystemFile.read(folder.log) ?? "").suffix(2_000)))
    }
}
