import Dispatch
package import Logging
package import Postgres

/// A PostgreSQL cluster of one's own under a home folder, made and started on demand from the installed server programs.
///
/// It listens on a Unix socket only and stays up when the program that started it ends, so that the next start is quick.
/// Several programs may start it at once. Who may connect is decided by the operating system's account (`peer`), so there
/// is no password: the account that made the cluster, and root.
package struct EmbeddedPostgres: Sendable {
    package let home: String
    private let logger: Logger?
    private static let queue = DispatchQueue(label: "tributary.embedded-postgres", attributes: .concurrent)

    /// Whether the private cluster exists and runs.
    package enum Status: Sendable, Equatable {
        /// Never made.
        case absent
        case stopped
        case running(PostgresAddress, process: Int32)
    }

    /// - Parameter home: `TRIBUTARY_HOME`; a relative path counts from the working folder, now.
    package init(home: String, logger: Logger? = nil) {
        self.home = SystemFile.absolute(home)
        self.logger = logger
    }

    /// Makes the cluster if it is absent, starts it if it is stopped, and tells where the database `tributary` is. With a
    /// running server it costs a millisecond or two.
    package func start() async throws(EmbeddedPostgresError) -> PostgresAddress {
        if case .running(let address, _) = status() { return address }
        let result: Result<PostgresAddress, EmbeddedPostgresError> = await withCheckedContinuation { continuation in
            Self.queue.async {
                continuation.resume(
                    returning: Result { () throws(EmbeddedPostgresError) in
                        try ClusterControl(home: home, logger: logger).start()
                    }
                )
            }
        }
        return try result.get()
    }

    /// Stops the server if it runs: sessions are ended, open transactions rolled back, and the data is written out.
    package func stop() async throws(EmbeddedPostgresError) {
        let result: Result<Void, EmbeddedPostgresError> = await withCheckedContinuation { continuation in
            Self.queue.async {
                continuation.resume(
                    returning: Result { () throws(EmbeddedPostgresError) in
                        try ClusterControl(home: home, logger: logger).stop()
                    }
                )
            }
        }
        try result.get()
    }

    package func status() -> Status {
        guard let folder = ClusterFolder.existing(home: home) else { return .absent }
        guard let server = PostmasterFile(data: folder.data), server.isListening else { return .stopped }
        return .running(Self.address(server), process: server.process)
    }

    /// The folder that holds the data, nil if the cluster has not been made.
    package var dataFolder: String? { ClusterFolder.existing(home: home)?.data }

    static func address(_ server: PostmasterFile) -> PostgresAddress {
        PostgresAddress(
            host: server.socketFolder,
            port: server.port,
            database: ServerSettings.database,
            user: ServerSettings.superuser
        )
    }
}
