import EmbeddedPostgres
import Logging
import Postgres
import ServiceLifecycle
import Settings

/// Keeps the private cluster running: starts its server again when it is gone, and restarts it when PostgreSQL's
/// programs were upgraded under it. Several daemons and command lines may share the cluster; its lock makes them start
/// it once.
///
/// A restart ends the sessions. A group of events in flight is then committed or goes to the spool, as in any outage.
struct ClusterKeeper: Service {
    /// The time between two looks at the server's process.
    private static let pause: Duration = .milliseconds(500)

    /// Starts the cluster at first, and logs what it does.
    private let starting: EmbeddedPostgres
    private let cluster: EmbeddedPostgres
    /// The address of the daemon's connections.
    private let address: DatabaseAddress
    /// Whether events are stored in the database, and not in the spool.
    private let isDatabasePresent: @Sendable () -> Bool
    private let logger: Logger

    /// - Parameter logger: for the keeper.
    init(
        cluster: EmbeddedPostgres,
        address: DatabaseAddress,
        isDatabasePresent: @escaping @Sendable () -> Bool,
        logger: Logger
    ) {
        starting = cluster
        // The keeper says itself what it does.
        self.cluster = EmbeddedPostgres(home: cluster.home)
        self.address = address
        self.isDatabasePresent = isDatabasePresent
        self.logger = logger
    }

    /// Creates and starts the cluster while the daemon already answers. If an existing cluster does not start, the
    /// daemon runs nevertheless: events of known keys go to the spool, and the keeper tries again.
    private func begin() async throws(EmbeddedPostgresError) {
        do throws(EmbeddedPostgresError) {
            address.set(try await starting.start())
        } catch EmbeddedPostgresError.abandoned {
            return
        } catch {
            guard let expected = try await cluster.expectedAddress() else { throw error }
            logger.error(
                "the private PostgreSQL cluster does not start; events of known keys go to the spool",
                metadata: ["reason": "\(error)"]
            )
            address.set(expected)
        }
    }

    /// What the keeper remembers from one look to the next.
    private struct Memory {
        var care = ClusterCare()
        /// The version of the running server, which is asked once.
        var server: (process: Int32, release: String)?
        /// The error that was logged last.
        var complaint: String?
    }

    func run() async throws {
        // Cancelled at once when the daemon is asked to stop: it must not start a server then.
        try await cancelWhenGracefulShutdown {
            try await begin()
            var memory = Memory()
            while !Task.isCancelled {
                do throws(EmbeddedPostgresError) {
                    try await look(&memory)
                } catch {
                    complain(error, &memory)
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func look(_ memory: inout Memory) async throws(EmbeddedPostgresError) {
        switch memory.care.next(process: cluster.serverProcess, isDoubtful: !isDatabasePresent(), at: .now) {
        case .nothing: break
        case .start: try await start(&memory)
        case .compare(let process): try await compare(process, &memory)
        }
    }

    private func start(_ memory: inout Memory) async throws(EmbeddedPostgresError) {
        // A cluster that is gone, perhaps with an unmounted disk, must not be replaced by an empty one.
        if address.isKnown, cluster.dataFolder == nil {
            throw .folderUnusable(path: cluster.home, reason: "the cluster's data is gone")
        }
        address.set(try await cluster.start())
        memory.complaint = nil
        logger.warning(
            "the private PostgreSQL server was down and has been started again",
            metadata: ["process": "\(cluster.serverProcess ?? 0)"]
        )
    }

    private func compare(_ process: Int32, _ memory: inout Memory) async throws(EmbeddedPostgresError) {
        if memory.server?.process != process {
            // A server that is just starting or stopping does not say.
            guard let release = try? await cluster.serverRelease(at: address.get()) else { return }
            memory.server = (process, release)
        }
        guard let running = memory.server?.release, let installed = try await cluster.programs()?.release else {
            return
        }
        guard memory.care.compared(running: running, installed: installed, at: .now) else {
            memory.complaint = nil
            return
        }
        logger.notice(
            "PostgreSQL was upgraded; restarting the private server",
            metadata: ["running": "\(running)", "installed": "\(installed)"]
        )
        do throws(EmbeddedPostgresError) {
            address.set(try await cluster.restart(replacing: process))
        } catch {
            memory.care.restartFailed()
            throw error
        }
        memory.complaint = nil
        logger.notice(
            "restarted the private PostgreSQL server",
            metadata: ["process": "\(cluster.serverProcess ?? 0)"]
        )
    }

    /// Someone must act. Each reason is logged once: the server's log, which it may quote, has another time and another
    /// process at each try.
    private func complain(_ error: EmbeddedPostgresError, _ memory: inout Memory) {
        let complaint = "\(error)".filter { !$0.isNumber }
        guard error != .abandoned, memory.complaint != complaint else { return }
        memory.complaint = complaint
        logger.error("the private PostgreSQL cluster needs help", metadata: ["reason": "\(error)"])
    }
}
