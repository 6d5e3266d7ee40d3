import CLibpq

// MARK: - Loading

extension PostgresConnection {
    /// Loads rows by `copy table (columns) from stdin (format binary)`.
    ///
    /// - Returns: how many rows were stored. If it throws, none was.
    @discardableResult
    package func copyIn(_ statement: String, _ data: PostgresCopyData) throws(PostgresError) -> Int {
        try data.checkComplete()
        let handle = try beginCopy(statement, as: .loading)
        let isSent = data.forEachChunk { put($0, handle) }
        return try finishCopyIn(statement, handle, isSent: isSent)
    }

    /// Loads what ``copyOutBytes(_:_:)`` has read, by the same statement as ``copyIn(_:_:)``.
    ///
    /// - Parameter next: returns the next bytes, nil at the end.
    /// - Returns: how many rows were stored. If it throws, none was.
    @discardableResult
    package func copyInBytes(_ statement: String, _ next: () throws -> [UInt8]?) throws -> Int {
        let handle = try beginCopy(statement, as: .loading)
        var isSent = true
        do {
            while isSent, let bytes = try next() { isSent = bytes.withUnsafeBytes { put($0, handle) } }
        } catch {
            PQputCopyEnd(handle.pointer, "the other end of the copy failed")
            drainResults(handle)
            throw error
        }
        return try finishCopyIn(statement, handle, isSent: isSent)
    }

    /// - Returns: false if no more can be sent. A cancelled use stops sending: the server answers the end of the copy
    ///   with the reason.
    private func put(_ bytes: UnsafeRawBufferPointer, _ handle: ConnectionHandle) -> Bool {
        currentUse?.isCancelled != true
            && PQputCopyData(
                handle.pointer,
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(bytes.count)
            ) == 1
    }

    private func finishCopyIn(
        _ statement: String,
        _ handle: ConnectionHandle,
        isSent: Bool
    ) throws(PostgresError) -> Int {
        PQputCopyEnd(handle.pointer, isSent ? nil : "the task was cancelled")
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
}

// MARK: - Reading

extension PostgresConnection {
    /// Reads rows by `copy (select …) to stdout (format binary)`, one at a time, so that memory stays flat.
    ///
    /// - Parameter row: called with each row. If it throws, the copy ends, and the error is thrown on. The connection
    ///   stays usable, but an open transaction has failed, as after any cancelled statement.
    package func copyOut(_ statement: String, _ row: (inout PostgresCopyRow) throws -> Void) throws {
        var stream = CopyStream()
        try copyOutBytes(statement) { try stream.read($0, row) }
    }

    /// The same without looking at the rows.
    ///
    /// - Parameter message: gets each message, with its memory for the time of the call.
    package func copyOutBytes(_ statement: String, _ message: (UnsafeRawBufferPointer) throws -> Void) throws {
        let handle = try beginCopy(statement, as: .reading)
        do {
            var buffer: UnsafeMutablePointer<CChar>?
            while true {
                let count = PQgetCopyData(handle.pointer, &buffer, 0)
                guard count > 0, let bytes = buffer else { break }
                defer { PQfreemem(bytes) }
                try message(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            }
            let result = PQgetResult(handle.pointer)
            defer {
                PQclear(result)
                drainResults(handle)
            }
            guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw makeError(result, handle, statement) }
        } catch {
            stopCopyOut(handle)
            throw error
        }
    }

    /// Millions of rows may be left, so the server is told to stop.
    private func stopCopyOut(_ handle: ConnectionHandle) {
        guard PQtransactionStatus(handle.pointer) == PQTRANS_ACTIVE else { return }
        cancelKey?.requestCancellation()
        drainCopy(handle)
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

// MARK: - Beginning

extension PostgresConnection {
    private enum CopyDirection {
        case loading, reading
    }

    /// - Throws: ``PostgresError/Kind/misuse`` for a statement that copies nothing in this direction and in binary.
    private func beginCopy(_ statement: String, as direction: CopyDirection) throws(PostgresError) -> ConnectionHandle {
        let handle = try readyHandle(for: statement)
        try checkText(statement)
        let started = PQexec(handle.pointer, statement)
        defer { PQclear(started) }
        guard PQresultStatus(started) == (direction == .loading ? PGRES_COPY_IN : PGRES_COPY_OUT) else {
            try check(started, handle, statement)
            let needed = direction == .loading ? "COPY … FROM STDIN" : "COPY … TO STDOUT"
            throw PostgresError(.misuse, "this needs \(needed)", statement: statement)
        }
        guard PQbinaryTuples(started) == 1 else {
            switch direction {
            case .loading:
                PQputCopyEnd(handle.pointer, "binary format expected")
                drainResults(handle)
            case .reading: stopCopyOut(handle)
            }
            throw PostgresError(.misuse, "this needs (format binary)", statement: statement)
        }
        return handle
    }
}
