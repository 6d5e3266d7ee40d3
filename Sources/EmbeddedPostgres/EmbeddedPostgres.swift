import Dispatch
package import Logging
package import Postgres

/// A private PostgreSQL cluster under a home folder. It is created and started on demand, with the installed server
/// programs.
///
/// It listens only on a Unix socket. It keeps running when the program that started it ends, so that the next start is
/// quick. Several programs may start it at the same time. There is no password: the operating system identifies the
/// account (`peer`), and only the account that created the cluster and root may connect.
package struct EmbeddedPostgres: Sendable {
    package let home: String
    private let logger: Logger?
    private static let queue = DispatchQueue(label: "tributary.embedded-postgres", attributes: .concurrent)

    /// Whether the private cluster exists and runs.
    package enum Status: Sendable, Equatable {
        /// It has not been created.
        case absent
        case stopped
        case running(PostgresAddress, process: Int32)
    }

    /// - Parameter home: `TRIBUTARY_HOME`. A relative path counts from the current working folder.
    package init(home: String, logger: Logger? = nil) {
        self.home = SystemFile.absolute(home)
        self.logger = logger
    }

    /// Creates the cluster if it is absent and starts it if it is stopped. With a running server this takes one or two
    /// milliseconds.
    ///
    /// - Returns: the address of the database `tributary`.
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

    /// Stops the server if it runs. It ends sessions, rolls back open transactions, and writes its data to disk.
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

    /// The folder that holds the data; nil if the cluster has not been created.
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
