import CLibpq

/// Several statements in one round trip, by libpq's pipeline mode: a small statement costs less than to wait for its answer.
extension PostgresConnection {
    /// One message of a pipeline that is answered.
    private enum Step {
        case prepare(name: String, types: [UInt32])
        case runPrepared(name: String)
        case runUnnamed
    }

    /// Runs a statement of the open transaction with its next one, or with its commit, in one round trip. What it gives is
    /// dropped; its error is thrown by whatever it runs with.
    package func executeWithNext(_ sql: String, _ parameters: [PostgresValue] = []) throws(PostgresError) {
        _ = try checkedHandle(for: sql)
        guard isInTransaction else {
            throw PostgresError(.misuse, "a statement is deferred only in a transaction", statement: sql)
        }
        try checkText(sql)
        deferred.append(DeferredStatements.Statement(sql: sql, parameters: try ParameterBuffer(parameters)))
    }

    /// Runs statements of the open transaction, and what was deferred before them, in one round trip.
    ///
    /// - Parameter work: done while the server is at it.
    /// - Returns: the rows of each statement.
    package func query(
        _ statements: [(sql: String, parameters: [PostgresValue])],
        meanwhile work: () -> Void
    ) throws(PostgresError) -> [PostgresResult] {
        for (sql, parameters) in statements { try executeWithNext(sql, parameters) }
        let results = try runPipeline(meanwhile: work)
        for result in results.dropLast(statements.count) { PQclear(result) }
        return results.suffix(statements.count).map { PostgresResult(owning: $0) }
    }

    /// Runs what was deferred.
    func runDeferred() throws(PostgresError) {
        for result in try runPipeline() { PQclear(result) }
    }

    /// Runs what was deferred and then one statement.
    ///
    /// - Returns: the statement's result, which the caller owns.
    func runWithDeferred(_ sql: String, _ parameters: [PostgresValue]) throws(PostgresError) -> OpaquePointer {
        try checkText(sql)
        deferred.append(DeferredStatements.Statement(sql: sql, parameters: try ParameterBuffer(parameters)))
        var results = try runPipeline()
        let last = results.removeLast()
        for result in results { PQclear(result) }
        return last
    }

    /// Runs all that is deferred.
    ///
    /// - Parameter work: done between sending and receiving.
    /// - Returns: one good result for each statement, which the caller owns.
    private func runPipeline(meanwhile work: () -> Void = {}) throws(PostgresError) -> [OpaquePointer] {
        guard let first = deferred.statements.first else { return [] }
        // Before it is taken: a transaction that could not begin must not go on without its beginning.
        let handle = try checkedHandle(for: first.sql)
        let statements = deferred.take()
        let steps = plan(statements, handle)
        var isSent = PQenterPipelineMode(handle.pointer) == 1
        for (number, step) in steps where isSent {
            isSent = send(step, statements[number], handle)
        }
        guard isSent, PQpipelineSync(handle.pointer) == 1 else {
            // The connection is lost. Nothing tells what the server has got, so nothing may follow.
            let error = makeError(nil, handle, first.sql)
            close()
            throw error
        }
        work()
        let (results, isWhole) = receive(steps.count, handle)
        defer { if !isWhole { close() } }
        return try check(results, of: steps, statements, handle)
    }

    /// What to send for the statements: for one whose text comes the second time, its preparation as well.
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

    /// The result of each step, and whether the end of the pipeline has been reached.
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
                // It would be given again and again: there is no COPY in a pipeline.
                if isCopy || PQstatus(handle.pointer) != CONNECTION_OK { break }
            }
            results.append(first)
        }
        let end = PQgetResult(handle.pointer)
        let isWhole = PQresultStatus(end) == PGRES_PIPELINE_SYNC && PQexitPipelineMode(handle.pointer) == 1
        PQclear(end)
        return (results, isWhole)
    }

    /// - Throws: the first error. The results are cleared then.
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
            // What comes after an error is not prepared, either.
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
        // All others have been deallocated before the pipeline began.
        _ = self.statements.takeDiscarded()
    }
}
