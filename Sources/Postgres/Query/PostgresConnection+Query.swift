import CLibpq

extension PostgresConnection {
    /// libpq's code for results in binary format.
    static let binary: Int32 = 1

    /// Runs one statement and returns its rows, all in memory.
    ///
    /// A text that is used again is prepared on the server. So keep texts constant, and pass values as parameters.
    ///
    /// - Parameter parameters: the values of `$1`, `$2` …
    package func query(_ sql: String, _ parameters: [PostgresValue] = []) throws(PostgresError) -> PostgresResult {
        PostgresResult(owning: try runStatement(sql, parameters))
    }

    /// Runs one statement.
    ///
    /// - Returns: how many rows it inserted, updated, deleted or returned; 0 for a statement that has no rows.
    @discardableResult
    package func execute(_ sql: String, _ parameters: [PostgresValue] = []) throws(PostgresError) -> Int {
        let result = try runStatement(sql, parameters)
        defer { PQclear(result) }
        return Self.affectedRows(result)
    }

    /// Runs several statements, separated by `;`, in one round trip. They form one implicit transaction unless the text
    /// has its own. It takes no parameters, and rows are dropped.
    package func executeScript(_ sql: String) throws(PostgresError) {
        try runCommand(sql, on: readyHandle(for: sql))
    }

    static func affectedRows(_ result: OpaquePointer) -> Int {
        Int(String(cString: PQcmdTuples(result))) ?? 0
    }

    /// Runs a text by the simple protocol.
    ///
    /// - Returns: the command tag, for example `COMMIT`.
    @discardableResult
    func runCommand(_ sql: String, on handle: ConnectionHandle) throws(PostgresError) -> String {
        try checkText(sql)
        let result = PQexec(handle.pointer, sql)
        defer { PQclear(result) }
        try check(result, handle, sql)
        return String(cString: PQcmdStatus(result))
    }

    private func runStatement(_ original: String, _ values: [PostgresValue]) throws(PostgresError) -> OpaquePointer {
        let sql = text(of: original)
        guard deferred.isEmpty else { return try runWithDeferred(sql, values) }
        let handle = try readyHandle(for: sql)
        try checkText(sql)
        let parameters = try ParameterBuffer(values)
        let isIdle = PQtransactionStatus(handle.pointer) == PQTRANS_IDLE
        do throws(PostgresError) {
            return try runPlanned(sql, parameters, handle)
        } catch  where isIdle && Self.meansStalePlan(error) {
            // A definition has changed, or the prepared statement was deallocated. The server has done nothing, so the
            // statement can run again.
            statements.forget(sql)
            return try runUnnamed(sql, parameters, handle)
        } catch {
            if Self.meansStalePlan(error) {
                statements.forget(sql)
            }
            throw error
        }
    }

    /// "Cached plan must not change result type", and "prepared statement does not exist".
    static func meansStalePlan(_ error: PostgresError) -> Bool {
        error.sqlState == "26000" || (error.sqlState == "0A000" && error.message.contains("cached plan"))
    }

    private func runPlanned(
        _ sql: String,
        _ parameters: ParameterBuffer,
        _ handle: ConnectionHandle
    ) throws(PostgresError) -> OpaquePointer {
        switch statements.plan(sql, types: parameters.types, isNull: parameters.isNull) {
        case .runUnnamed:
            deallocateDiscarded(handle)
            return try runUnnamed(sql, parameters, handle)
        case .prepare(let name, let types):
            deallocateDiscarded(handle)
            let prepared = PQprepare(handle.pointer, name, sql, Int32(types.count), types)
            defer { PQclear(prepared) }
            do throws(PostgresError) {
                try check(prepared, handle, sql)
            } catch {
                statements.forget(sql)
                _ = statements.takeDiscarded()
                throw error
            }
            return try runPrepared(name, sql, parameters, handle)
        case .runPrepared(let name):
            return try runPrepared(name, sql, parameters, handle)
        }
    }

    func runUnnamed(
        _ sql: String,
        _ parameters: ParameterBuffer,
        _ handle: ConnectionHandle
    ) throws(PostgresError) -> OpaquePointer {
        let result = parameters.withLibpqArrays { values, lengths, formats in
            PQexecParams(
                handle.pointer,
                sql,
                Int32(parameters.count),
                parameters.types,
                values,
                lengths,
                formats,
                Self.binary
            )
        }
        return try checkRows(result, handle, sql)
    }

    private func runPrepared(
        _ name: String,
        _ sql: String,
        _ parameters: ParameterBuffer,
        _ handle: ConnectionHandle
    ) throws(PostgresError) -> OpaquePointer {
        let result = parameters.withLibpqArrays { values, lengths, formats in
            PQexecPrepared(handle.pointer, name, Int32(parameters.count), values, lengths, formats, Self.binary)
        }
        return try checkRows(result, handle, sql)
    }

    /// Deallocates statements that the cache has dropped, so that the server keeps no more of them than the cache. A
    /// failed transaction cannot deallocate; then the statement stays until the session ends.
    func deallocateDiscarded(_ handle: ConnectionHandle) {
        for name in statements.takeDiscarded() where PQtransactionStatus(handle.pointer) != PQTRANS_INERROR {
            PQclear(PQexec(handle.pointer, "deallocate \(name)"))
        }
    }

    /// Returns a good result, which the caller owns. Clears a bad one and throws.
    private func checkRows(
        _ result: OpaquePointer?,
        _ handle: ConnectionHandle,
        _ sql: String
    ) throws(PostgresError) -> OpaquePointer {
        do throws(PostgresError) {
            try check(result, handle, sql)
        } catch {
            PQclear(result)
            throw error
        }
        guard let result else { throw makeError(nil, handle, sql) }
        return result
    }

    func check(_ result: OpaquePointer?, _ handle: ConnectionHandle, _ sql: String) throws(PostgresError) {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY, PGRES_SINGLE_TUPLE:
            return
        case PGRES_COPY_IN:
            PQputCopyEnd(handle.pointer, "not a COPY call")
            drainResults(handle)
            throw PostgresError(.misuse, "COPY … FROM STDIN needs copyIn", statement: sql)
        case PGRES_COPY_OUT:
            drainCopy(handle)
            throw PostgresError(.misuse, "COPY … TO STDOUT needs copyOut", statement: sql)
        default:
            throw makeError(result, handle, sql)
        }
    }

    func drainResults(_ handle: ConnectionHandle) {
        while let result = PQgetResult(handle.pointer) {
            let status = PQresultStatus(result)
            PQclear(result)
            // If the connection is lost during a COPY, libpq returns the same result for ever.
            if status == PGRES_COPY_IN || status == PGRES_COPY_OUT { return }
        }
    }

    func checkText(_ sql: String) throws(PostgresError) {
        guard !sql.utf8.contains(0) else { throw PostgresError(.misuse, "the statement contains U+0000") }
    }
}
