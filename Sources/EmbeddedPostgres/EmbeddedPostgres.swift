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
    private let programFolders: [String]?
    private let logger: Logger?
    private static let queue = DispatchQueue(label: "tributary.embedded-postgres", attributes: .concurrent)

    /// Whether the private cluster exists and runs.
    package enum Status: Sendable, Equatable {
        /// It has not been created.
        case absent
        case stopped
        case running(PostgresAddress, process: Int32)
    }

    /// - Parameters:
    ///   - home: `TRIBUTARY_HOME`. A relative path counts from the current working folder.
    ///   - programFolders: where server programs are searched; nil: in `PATH` and the usual folders.
    package init(home: String, programFolders: [String]? = nil, logger: Logger? = nil) {
        self.home = SystemFile.absolute(home)
        self.programFolders = programFolders
        self.logger = logger
    }

    /// Creates the cluster if it is absent and starts it if it is stopped. With a running server this takes one or two
    /// milliseconds. If the task is cancelled before the server is launched, it is not launched.
    ///
    /// - Returns: the address of the database `tributary`.
    package func start() async throws(EmbeddedPostgresError) -> PostgresAddress {
        if case .running(let address, _) = status() { return address }
        return try await onQueue { control throws(EmbeddedPostgresError) in try control.start() }
    }

    /// Stops the server and starts it again, with the programs that are installed now. Sessions end, and open
    /// transactions are rolled back.
    ///
    /// - Parameter process: the server to replace. If another one runs, it stays.
    package func restart(replacing process: Int32) async throws(EmbeddedPostgresError) -> PostgresAddress {
        try await onQueue { control throws(EmbeddedPostgresError) in try control.restart(replacing: process) }
    }

    /// Stops the server if it runs. It ends sessions, rolls back open transactions, and writes its data to disk.
    package func stop() async throws(EmbeddedPostgresError) {
        try await onQueue(isCancellable: false) { control throws(EmbeddedPostgresError) in try control.stop() }
    }

    /// The programs that the cluster is started with; nil if there is no cluster. If their ``Binaries/release`` is not
    /// the running server's, they were upgraded under it.
    ///
    /// - Throws: `versionMissing` if there are no programs of the major version that made the cluster.
    package func programs() async throws(EmbeddedPostgresError) -> Binaries? {
        try await onQueue { control throws(EmbeddedPostgresError) in try control.programs() }
    }

    /// The address that the server has when it runs; nil if the cluster has not been created.
    package func expectedAddress() async throws(EmbeddedPostgresError) -> PostgresAddress? {
        try await onQueue { control throws(EmbeddedPostgresError) in try control.expectedAddress() }
    }

    /// The version that the running server says it has (`server_version`), in the form of ``Binaries/release``.
    package func serverRelease(at address: PostgresAddress) async throws -> String {
        let options = PostgresOptions(connectTimeout: .seconds(2), statementTimeout: .seconds(2))
        let connection = try await PostgresConnection.connect(to: address, options: options)
        let result: Result<String, any Error>
        do {
            result = .success(try await connection.query("show server_version")[0].text(0))
        } catch {
            result = .failure(error)
        }
        await connection.close()
        return try result.get()
    }

    /// - Parameter isCancellable: whether the work may be given up when the task is cancelled.
    private func onQueue<R: Sendable>(
        isCancellable: Bool = true,
        _ body: @escaping @Sendable (ClusterControl) throws(EmbeddedPostgresError) -> R
    ) async throws(EmbeddedPostgresError) -> R {
        let cancellation = StartCancellation()
        let control = ClusterControl(
            home: home,
            programFolders: programFolders,
            cancellation: cancellation,
            logger: logger
        )
        let result: Result<R, EmbeddedPostgresError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Self.queue.async {
                    continuation.resume(
                        returning: Result { () throws(EmbeddedPostgresError) in try body(control) }
                    )
                }
            }
        } onCancel: {
            if isCancellable { cancellation.cancel() }
        }
        return try result.get()
    }

    package func status() -> Status {
        guard let folder = ClusterFolder.existing(home: home) else { return .absent }
        guard let server = PostmasterFile(data: folder.data), server.isListening else { return .stopped }
        return .running(Self.address(server), process: server.process)
    }

    /// The process of the server if it serves, as far as the system can say without asking it; nil if it does not. Much
    /// cheaper than ``status()``.
    package var serverProcess: Int32? {
        guard let folder = ClusterFolder.existing(home: home), let server = PostmasterFile(data: folder.data),
            server.isReady, server.isServing(folder.data), SystemFile.status(server.socketPath) != nil
        else { return nil }
        return server.process
    }

    /// The folder that holds the data; nil if the cluster has not been created.
    package var dataFolder: String? { ClusterFolder.existing(home: home)?.data }

    static func address(_ server: PostmasterFile) -> PostgresAddress {
        address(socketFolder: server.socketFolder, port: server.port)
    }

    static func address(socketFolder: String, port: Int) -> PostgresAddress {
        PostgresAddress(
            host: socketFolder,
            port: port,
            database: ServerSettings.database,
            user: ServerSettings.superuser
        )
    }
}
