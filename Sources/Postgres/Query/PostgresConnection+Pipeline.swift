import CLibpq

/// Several statements in one round trip, by libpq's pipeline mode: waiting for an answer costs more than running a
/// small statement.
///
/// The life of a pipeline: statements are deferred (``executeWithNext(_:_:)``), sent as steps, and received as one
/// result for each step. The first error ends the pipeline, and the server skips the rest.
extension PostgresConnection {
    /// A message of a pipeline. The server answers each with one result.
    private enum Step {
        case prepare(name: String, types: [UInt32])
        case runPrepared(name: String)
        case runUnnamed
    }

    /// Defers a statement of the open transaction: it goes to the server with the transaction's next statement, or with
    /// its commit. Its rows are dropped. The call that sends it throws its error.
    package func executeWithNext(_ original: String, _ parameters: [PostgresValue] = []) throws(PostgresError) {
        let sql = text(of: original)
        _ = try checkedHandle(for: sql)
        guard isInTransaction else {
            throw PostgresError(.misuse, "a statement is deferred only in a transaction", statement: sql)
        }
        try checkText(sql)
        deferred.append(DeferredStatements.Statement(sql: sql, parameters: try ParameterBuffer(parameters)))
    }

    /// Runs statements of the open transaction, after those that were deferred, in one round trip.
    ///
    /// - Parameter work: runs while the server works.
    /// - Returns: the rows of each of `statements`.
    package func query(
        _ statements: [(sql: String, parameters: [PostgresValue])],
        meanwhile work: () -> Void
    ) throws(PostgresError) -> [PostgresResult] {
        for (sql, parameters) in statements { try executeWithNext(sql, parameters) }
        let results = try runPipeline(meanwhile: work)
        for result in results.dropLast(statements.count) { PQclear(result) }
        return results.suffix(statements.count).map { PostgresResult(owning: $0) }
    }

    /// Runs the deferred statements.
    func runDeferred() throws(PostgresError) {
        for result in try runPipeline() { PQclear(result) }
    }

    /// Runs the deferred statements and then one more.
    ///
    /// - Returns: the last statement's result, which the caller owns.
    func runWithDeferred(_ sql: String, _ parameters: [PostgresValue]) throws(PostgresError) -> OpaquePointer {
        try checkText(sql)
        deferred.append(DeferredStatements.Statement(sql: sql, parameters: try ParameterBuffer(parameters)))
        var results = try runPipeline()
        let last = results.removeLast()
        for result in results { PQclear(result) }
        return last
    }

    /// Runs all deferred statements.
    ///
    /// - Parameter work: runs between sending and receiving.
    /// - Returns: one good result for each statement. The caller owns them.
    private func runPipeline(meanwhile work: () -> Void = {}) throws(PostgresError) -> [OpaquePointer] {
        guard let first = deferred.statements.first else { return [] }
        // Checked before the statements are taken: if this throws, a transaction must not continue without its `begin`.
        let handle = try checkedHandle(for: first.sql)
        let statements = deferred.take()
        let steps = plan(statements, handle)
        var isSent = PQenterPipelineMode(handle.pointer) == 1
        for (number, step) in steps where isSent {
            isSent = send(step, statements[number], handle)
        }
        guard isSent, PQpipelineSync(handle.pointer) == 1 else {
            // The connection is lost. How much the server has received is unknown, so the session must end.
            let error = makeError(nil, handle, first.sql)
            close()
            throw error
        }
        work()
        let (results, isWhole) = receive(steps.count, handle)
        defer { if !isWhole { close() } }
        return try check(results, of: steps, statements, handle)
    }

    /// The steps for the statements. A statement whose text comes for the second time is prepared first.
    private func plan(
        _ statements: [DeferredStatements.Statement],
        _ handle: ConnectionHandle
    ) -> [(statement: Int, step: Step)] {
        var steps: [(statement: Int, step: Step)] = []
        steps.reserveCapacity(statements.count)
        for (number, statement) in statements.enumerated() {
            let parameters = statement.parameters
            switch self.statements.plan(statement.sql, types: parameters.types, isNull: parameters.isNull) {
            case .runUnnamed:
                steps.append((number, .runUnnamed))
            case .prepare(let name, let types):
                steps.append((number, .prepare(name: name, types: types)))
                steps.append((number, .runPrepared(name: name)))
            case .runPrepared(let name):
                steps.append((number, .runPrepared(name: name)))
            }
        }
        deallocateDiscarded(handle)
        return steps
    }

    private func send(_ step: Step, _ statement: DeferredStatements.Statement, _ handle: ConnectionHandle) -> Bool {
        let (sql, parameters) = (statement.sql, statement.parameters)
        switch step {
        case .prepare(let name, let types):
            return PQsendPrepare(handle.pointer, name, sql, Int32(types.count), types) == 1
        case .runPrepared(let name):
            return parameters.withLibpqArrays { values, lengths, formats in
                PQsendQueryPrepared(
                    handle.pointer,
                    name,
                    Int32(parameters.count),
                    values,
                    lengths,
                    formats,
                    Self.binary
                )
            } == 1
        case .runUnnamed:
            return parameters.withLibpqArrays { values, lengths, formats in
                PQsendQueryParams(
                    handle.pointer,
                    sql,
                    Int32(parameters.count),
                    parameters.types,
                    values,
                    lengths,
                    formats,
                    Self.binary
                )
            } == 1
        }
    }

    /// Receives one result for each step.
    ///
    /// - Returns: the results, and whether the end of the pipeline was reached.
    private func receive(
        _ count: Int,
        _ handle: ConnectionHandle
    ) -> (results: [OpaquePointer?], isWhole: Bool) {
        var results: [OpaquePointer?] = []
        results.reserveCapacity(count)
        for _ in 0..<count {
            var first: OpaquePointer?
            while let result = PQgetResult(handle.pointer) {
                let isCopy = [PGRES_COPY_IN, PGRES_COPY_OUT].contains(PQresultStatus(result))
                if first == nil { first = result } else { PQclear(result) }
                // COPY does not work in a pipeline: libpq would return this result for ever.
                if isCopy || PQstatus(handle.pointer) != CONNECTION_OK { break }
            }
            results.append(first)
        }
        let end = PQgetResult(handle.pointer)
        let isWhole = PQresultStatus(end) == PGRES_PIPELINE_SYNC && PQexitPipelineMode(handle.pointer) == 1
        PQclear(end)
        return (results, isWhole)
    }

    /// Picks the results of the statements, without those of preparations.
    ///
    /// - Throws: the first error. Then all results are cleared.
    private func check(
        _ results: [OpaquePointer?],
        of steps: [(statement: Int, step: Step)],
        _ statements: [DeferredStatements.Statement],
        _ handle: ConnectionHandle
    ) throws(PostgresError) -> [OpaquePointer] {
        var good: [OpaquePointer] = []
        good.reserveCapacity(statements.count)
        for (place, (result, step)) in zip(results, steps).enumerated() {
            let isGood = [PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY].contains(PQresultStatus(result))
            if isGood, let result {
                if case .prepare = step.step { PQclear(result) } else { good.append(result) }
                continue
            }
            let sql = statements[step.statement].sql
            let error = makeError(result, handle, sql)
            for result in good { PQclear(result) }
            for result in results[place...] { PQclear(result) }
            // Preparations after an error did not run either.
            forgetUnprepared(statements, steps[place...])
            if Self.meansStalePlan(error) { self.statements.forget(sql) }
            throw error
        }
        return good
    }

    private func forgetUnprepared(
        _ statements: [DeferredStatements.Statement],
        _ steps: ArraySlice<(statement: Int, step: Step)>
    ) {
        for (number, step) in steps {
            if case .prepare = step { self.statements.forget(statements[number].sql) }
        }
        // These statements do not exist on the server. All others were deallocated before the pipeline began.
        _ = self.statements.takeDiscarded()
    }
}
