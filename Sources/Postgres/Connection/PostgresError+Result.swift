import CLibpq

extension PostgresError {
    /// The error of a result. A result without an SQLSTATE comes from libpq itself, for example when the connection is
    /// lost.
    init(result: OpaquePointer?, handle: ConnectionHandle, statement: String?, server: String) {
        func field(_ code: Int) -> String? {
            result.flatMap { PQresultErrorField($0, Int32(code)) }.map { String(cString: $0) }
        }
        let sqlState = field(postgres_field_sqlstate)
        let isLost = PQstatus(handle.pointer) != CONNECTION_OK
        let message = field(postgres_field_message) ?? handle.errorMessage
        self.init(
            sqlState == nil ? (isLost ? .connectionLost : .misuse) : .server,
            message.isEmpty ? "PostgreSQL gave no result" : message,
            sqlState: Self.sqlState(sqlState, meaning: message),
            statement: statement,
            server: isLost ? server : nil
        )
        detail = field(postgres_field_detail)
        hint = field(postgres_field_hint)
        context = field(postgres_field_context)
        let worker = detail.flatMap(Self.worker(inDetail:))
        isRelayed =
            self.sqlState != sqlState || worker != nil || context?.contains("while executing command on ") ?? false
        if isLost, let worker { self.server = worker }
        schema = field(postgres_field_schema)
        table = field(postgres_field_table)
        column = field(postgres_field_column)
        dataType = field(postgres_field_data_type)
        constraint = field(postgres_field_constraint)
        position = field(postgres_field_position).flatMap { Int($0) }
    }

    /// The worker that ended its session, as `host:port`. If the coordinator reads a worker's last words before it
    /// sends the next statement, it takes them for a notice, says in the detail where they are from, and so ends its
    /// own session.
    private static func worker(inDetail detail: String) -> String? {
        guard let address = detail.wholeMatch(of: /from (\S+:[0-9]+)/)?.1 else { return nil }
        return String(address)
    }

    /// The SQLSTATE of an error. Citus passes on what a worker says of rows that are copied there, without the worker's
    /// SQLSTATE: it then gives that of an internal error. It gives the same, or that of a failing disk, if a connection
    /// to a worker is broken.
    static func sqlState(_ given: String?, meaning message: String) -> String? {
        guard given == "XX000" || given == "58030" else { return given }
        return statesOfWorkers.first { message.hasPrefix($0.message) }?.state ?? given
    }

    private static let statesOfWorkers = [
        (message: "duplicate key value violates unique constraint", state: "23505"),
        (message: "no partition of relation", state: "23514"),
        (message: "deadlock detected", state: "40P01"),
        (message: "could not serialize access", state: "40001"),
        (message: "canceling statement due to", state: "57014"),
        (message: "could not extend file", state: "53100"),
        (message: "terminating connection due to", state: "57P01"),
        (message: "cannot execute COPY FROM in a read-only transaction", state: "25006"),
        (message: "failure on connection marked as essential", state: "08006"),
        (message: "failed to COPY to shard", state: "08006"),
        (message: "failed to complete COPY on", state: "08006"),
        (message: "failed to prepare transaction", state: "08006"),
        (message: "could not commit transaction for shard", state: "08007"),
        (message: "server closed the connection unexpectedly", state: "08006"),
        (message: "could not receive data from server", state: "08006"),
        (message: "could not send data to server", state: "08006"),
        (message: "SSL SYSCALL error", state: "08006"),
        (message: "SSL connection has been closed unexpectedly", state: "08006"),
    ]
}
