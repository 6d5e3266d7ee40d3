import CLibpq

extension PostgresConnection {
    /// Loads rows by `copy table (columns) from stdin (format binary)`.
    ///
    /// - Returns: how many rows were stored. If it throws, none was.
    @discardableResult
    package func copyIn(_ statement: String, _ data: PostgresCopyData) throws(PostgresError) -> Int {
        let handle = try readyHandle(for: statement)
        try checkText(statement)
        try data.checkComplete()
        let started = PQexec(handle.pointer, statement)
        defer { PQclear(started) }
        guard PQresultStatus(started) == PGRES_COPY_IN else {
            try check(started, handle, statement)
            throw PostgresError(.misuse, "copyIn needs COPY … FROM STDIN", statement: statement)
        }
        guard PQbinaryTuples(started) == 1 else {
            PQputCopyEnd(handle.pointer, "binary format expected")
            drainResults(handle)
            throw PostgresError(.misuse, "copyIn needs (format binary)", statement: statement)
        }

        let isSent = data.forEachChunk { chunk in
            // A cancelled use stops sending. The server answers the end of the copy with the reason.
            currentUse?.isCancelled != true
                && PQputCopyData(
                    handle.pointer,
                    chunk.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(chunk.count)
                ) == 1
        }
        if isSent {
            PQputCopyEnd(handle.pointer, nil)
        } else {
            PQputCopyEnd(handle.pointer, "the task was cancelled")
        }
        return try finishCopyIn(statement, handle, isSent: isSent)
    }

    private func finishCopyIn(
        _ statement: String,
        _ handle: ConnectionHandle,
        isSent: Bool
    ) throws(PostgresError) -> Int {
        let result = PQgetResult(handle.pointer)
        defer {
            PQclear(result)
            drainResults(handle)
        }
        if PQresultStatus(result) == PGRES_COMMAND_OK, let result {
            return Self.affectedRows(result)
        }
        var error = makeError(result, handle, statement)
        if !isSent, error.kind == .server, currentUse?.isCancelled == true {
            error.kind = .cancelled
        }
        throw error
    }

    /// Reads rows by `copy (select …) to stdout (format binary)`, one at a time, so that memory stays flat.
    ///
    /// - Parameter row: called with each row. If it throws, the copy ends, and the error is thrown on. The connection
    ///   stays usable, but an open transaction has failed, as after any cancelled statement.
    package func copyOut(_ statement: String, _ row: (inout PostgresCopyRow) throws -> Void) throws {
        let handle = try readyHandle(for: statement)
        try checkText(statement)
        let started = PQexec(handle.pointer, statement)
        defer { PQclear(started) }
        guard PQresultStatus(started) == PGRES_COPY_OUT else {
            try check(started, handle, statement)
            throw PostgresError(.misuse, "copyOut needs COPY … TO STDOUT", statement: statement)
        }
        do {
            guard PQbinaryTuples(started) == 1 else {
                throw PostgresError(.misuse, "copyOut needs (format binary)", statement: statement)
            }
            try readCopy(statement, handle, row)
        } catch {
            if PQtransactionStatus(handle.pointer) == PQTRANS_ACTIVE {
                // Millions of rows may be left, so the server is told to stop.
                cancelKey?.requestCancellation()
                drainCopy(handle)
            }
            throw error
        }
    }

    private func readCopy(
        _ statement: String,
        _ handle: ConnectionHandle,
        _ row: (inout PostgresCopyRow) throws -> Void
    ) throws {
        var stream = CopyStream()
        var buffer: UnsafeMutablePointer<CChar>?
        while true {
            let count = PQgetCopyData(handle.pointer, &buffer, 0)
            guard count > 0, let message = buffer else { break }
            defer { PQfreemem(message) }
            try stream.read(UnsafeRawBufferPointer(start: message, count: Int(count)), row)
        }
        let result = PQgetResult(handle.pointer)
        defer {
            PQclear(result)
            drainResults(handle)
        }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw makeError(result, handle, statement) }
    }

    /// Reads and drops the rest of a copy and its results.
    func drainCopy(_ handle: ConnectionHandle) {
        var buffer: UnsafeMutablePointer<CChar>?
        while PQgetCopyData(handle.pointer, &buffer, 0) > 0 {
            PQfreemem(buffer)
        }
        drainResults(handle)
    }
}
