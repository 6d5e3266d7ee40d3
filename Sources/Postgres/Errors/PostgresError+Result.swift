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
            sqlState: sqlState,
            statement: statement,
            server: isLost ? server : nil
        )
        detail = field(postgres_field_detail)
        hint = field(postgres_field_hint)
        context = field(postgres_field_context)
        schema = field(postgres_field_schema)
        table = field(postgres_field_table)
        column = field(postgres_field_column)
        dataType = field(postgres_field_data_type)
        constraint = field(postgres_field_constraint)
        position = field(postgres_field_position).flatMap { Int($0) }
    }
}
