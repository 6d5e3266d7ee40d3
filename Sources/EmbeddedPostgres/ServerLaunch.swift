#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Starts the server of a cluster and waits until it accepts connections.
struct ServerLaunch {
    let folder: ClusterFolder
    let account: ServerAccount
    let binaries: EmbeddedPostgres.Binaries
    /// The time limit. A recovery after a crash reads the log since the last checkpoint, at most `max_wal_size`.
    var patience: Duration = .seconds(120)
    /// Ends the wait. A server that is launched already goes on starting.
    var cancellation: StartCancellation? = nil

    func run() throws(EmbeddedPostgresError) -> PostmasterFile {
        let deadline = ContinuousClock.now + patience
        while true {
            if let server = try clearStaleFiles() { return server }
            try cancellation?.check()
            let failure: EmbeddedPostgresError
            do throws(EmbeddedPostgresError) {
                return try launch(until: deadline)
            } catch {
                failure = error
            }
            // If only the server process was killed, its sessions need a moment to notice it and leave the shared
            // memory.
            guard case .startFailed(_, let log) = failure, log.contains("shared memory block"),
                ContinuousClock.now < deadline
            else { throw failure }
            usleep(200_000)
        }
    }

    private func launch(until deadline: ContinuousClock.Instant) throws(EmbeddedPostgresError) -> PostmasterFile {
        let socketFolder = try folder.makeSocketFolder(account: account)
        let arguments =
            [binaries.postgres] + ServerSettings.arguments(data: folder.data, socketFolder: socketFolder)
        // The shell ends immediately, so that the server is not a child of this process. All values are arguments, so
        // nothing needs quoting. The server starts a new log, and the previous one is kept.
        let script = """
            umask 077; cd /; mv -f "$0" "$0.old" 2>/dev/null; exec "$@" </dev/null >"$0" 2>&1 & echo $!
            """
        let outcome: SystemCommand.Outcome
        do throws(SystemCommand.Failure) {
            outcome = try account.command(["/bin/sh", "-c", script, folder.log] + arguments).run()
        } catch {
            throw .startFailed(reason: "\(error)", log: "")
        }
        guard outcome.status == 0, let process = pid_t(outcome.output.filter { !$0.isWhitespace }) else {
            throw .startFailed(reason: outcome.output.isEmpty ? "status \(outcome.status)" : outcome.output, log: "")
        }
        while true {
            if let server = PostmasterFile(data: folder.data), server.process == process, server.isListening {
                return server
            }
            guard PostmasterFile.isAlive(process) else {
                throw .startFailed(reason: "the server ended", log: SystemFile.tail(folder.log, bytes: 2000))
            }
            guard ContinuousClock.now < deadline else {
                // The server goes on: an interrupted recovery would begin again, and never end. The next start waits
                // for it.
                throw .startFailed(reason: "not ready after \(patience)", log: SystemFile.tail(folder.log, bytes: 2000))
            }
            try cancellation?.check()
            usleep(5_000)
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
        guard let text = try? SystemFile.read(path) else { return nil }
        guard let server = PostmasterFile(text: text) else {
            try setAside(path)
            return nil
        }
        // The server may be stopping, or recovering because another program started it without the lock.
        guard !server.isServing(folder.data) else { return try waitForOther(server) }
        let rest = text.drop { $0 != "\n" }
        do throws(SystemFile.Failure) {
            try SystemFile.write("\(pid_t.max)\(rest)", to: path, mode: 0o600)
            if !account.isOwn {
                try SystemFile.changeOwner(path, user: account.user, group: account.group)
            }
        } catch {
            throw .startFailed(reason: "\(error)", log: "")
        }
        if !server.socketFolder.isEmpty {
            unlink(server.socketPath)
            unlink(server.socketPath + ".lock")
        }
        return nil
    }

    /// A file that names no process, as a full or failing disk leaves it, would keep PostgreSQL from starting for ever.
    private func setAside(_ path: String) throws(EmbeddedPostgresError) {
        guard PostmasterFile.server(of: folder.data) == nil else {
            throw .startFailed(
                reason: "\(path) names no process, but one runs in its folder; PostgreSQL ends it within a minute",
                log: ""
            )
        }
        guard rename(path, path + ".bad") == 0 || errno == ENOENT else {
            throw .startFailed(reason: "\(path) names no process: remove it", log: "")
        }
    }

    private func waitForOther(_ server: PostmasterFile) throws(EmbeddedPostgresError) -> PostmasterFile? {
        let deadline = ContinuousClock.now + patience
        // A server whose socket is gone cannot be reached. The server of a deleted home at this path removes the socket
        // when it notices and ends.
        if let current = PostmasterFile(data: folder.data), current.isReady,
            SystemFile.status(current.socketPath) == nil
        {
            kill(server.process, SIGINT)
        }
        while PostmasterFile.isAlive(server.process) {
            if let current = PostmasterFile(data: folder.data), current.isListening { return current }
            guard ContinuousClock.now < deadline else {
                throw .startFailed(reason: "process \(server.process) neither serves nor ends", log: "")
            }
            try cancellation?.check()
            usleep(5_000)
        }
        return nil
    }
}
