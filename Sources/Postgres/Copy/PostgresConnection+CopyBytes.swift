import CLibpq

/// Copies between two connections: the bytes of one COPY become those of another.
extension PostgresConnection {
    /// Reads `copy (select …) to stdout (format binary)` without looking at the rows.
    ///
    /// - Parameter body: gets each message, with its memory for the time of the call. If it throws, the copy ends, and
    ///   an open transaction has failed.
    package func copyOutBytes(_ statement: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let handle = try readyHandle(for: statement)
        try checkText(statement)
        let started = PQexec(handle.pointer, statement)
        defer { PQclear(started) }
        guard PQresultStatus(started) == PGRES_COPY_OUT else {
            try check(started, handle, statement)
            throw PostgresError(.misuse, "copyOutBytes needs COPY … TO STDOUT", statement: statement)
        }
        do {
            var buffer: UnsafeMutablePointer<CChar>?
            while true {
                let count = PQgetCopyData(handle.pointer, &buffer, 0)
                guard count > 0, let message = buffer else { break }
                defer { PQfreemem(message) }
                try body(UnsafeRawBufferPointer(start: message, count: Int(count)))
            }
            let result = PQgetResult(handle.pointer)
            defer {
                PQclear(result)
                drainResults(handle)
            }
            guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw makeError(result, handle, statement) }
        } catch {
            if PQtransactionStatus(handle.pointer) == PQTRANS_ACTIVE {
                cancelKey?.requestCancellation()
                drainCopy(handle)
            }
            throw error
        }
    }

    /// Loads what ``copyOutBytes(_:_:)`` has read, by `copy table (columns) from stdin (format binary)`.
    ///
    /// - Parameter next: returns the next bytes, nil at the end.
    /// - Returns: how many rows were stored. If it throws, none was.
    @discardableResult
    package func copyInBytes(_ statement: String, _ next: () throws -> [UInt8]?) throws -> Int {
        let handle = try readyHandle(for: statement)
        try checkText(statement)
        let started = PQexec(handle.pointer, statement)
        defer { PQclear(started) }
        guard PQresultStatus(started) == PGRES_COPY_IN else {
            try check(started, handle, statement)
            throw PostgresError(.misuse, "copyInBytes needs COPY … FROM STDIN", statement: statement)
        }
        do {
            var isTaken = true
            while isTaken, let bytes = try next() {
                isTaken = bytes.withUnsafeBytes { bytes in
                    PQputCopyData(
                        handle.pointer,
                        bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                        Int32(bytes.count)
                    ) == 1
                }
            }
            PQputCopyEnd(handle.pointer, nil)
        } catch {
            PQputCopyEnd(handle.pointer, "the other end of the copy failed")
            PQclear(PQgetResult(handle.pointer))
            drainResults(handle)
            throw error
        }
        let result = PQgetResult(handle.pointer)
        defer {
            PQclear(result)
            drainResults(handle)
        }
        guard PQresultStatus(result) == PGRES_COMMAND_OK, let result else {
            throw makeError(result, handle, statement)
        }
        return Self.affectedRows(result)
    }
}
