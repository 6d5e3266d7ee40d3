import Postgres

extension AppMove {
    /// Copies the links of people that were made since the last round, or all of them if links were removed here since:
    /// then people may have been deleted, too.
    ///
    /// - Parameter horizon: links of earlier transactions are copied then.
    func copyLinks(_ ends: MovingEnds, through horizon: Int64) async throws {
        guard var state = try await arrival(ends) else { throw AppMoveError.hasNotBegun }
        let revision = try await linkRevision(ends)
        // Also the events of people who were deleted.
        try await waitForThoseInDoubt(of: state.number, ends.target)
        let copiesAll = state.linkRevision != revision
        try await transaction(ends.target) {
            if copiesAll {
                try await copyErased(state, ends)
                try await copyAll("device_link", state, ends)
                try await copyAll("click_link", state, ends)
            } else {
                try await merge("device_link", StoredSQL.mergeDeviceLinks, state, ends)
                try await merge("click_link", StoredSQL.mergeClickLinks, state, ends)
            }
            (state.linksThrough, state.linkRevision) = (horizon, revision)
            try await note(state, ends)
        }
    }

    /// Read before the links: what is removed meanwhile is found by the next round. Whoever removes links of the app
    /// has its lock, and on a cluster, the removal may be counted before the worker shows it.
    private func linkRevision(_ ends: MovingEnds) async throws -> Int64 {
        try await ends.source.run { [number = ends.app.number, progress] connection in
            let read = "select revision from link_revision"
            guard connection.isDistributed else { return try connection.query(read)[0].int64(0) }
            let revision = try LinkRemoval.alone(in: number, on: connection, progress: progress) {
                try connection.query(read)[0].int64(0)
            }
            try StoringTransactions.waitForThoseInDoubt(of: number, on: connection)
            return revision
        }
    }

    private func query(_ table: String, _ state: Arrival, _ ends: MovingEnds, where condition: String) -> String {
        ends.rows(
            of: table,
            ["app_number": "\(state.number)"],
            where: "app_number = \(ends.app.number) and \(condition)"
        )
    }

    private func copyAll(_ table: String, _ state: Arrival, _ ends: MovingEnds) async throws {
        progress(DeletionProgress("copying \(table)"))
        // A removal makes daemons there forget which links they know.
        if state.linkRevision != nil {
            try await ends.target.run { [number = state.number] in
                _ = try $0.execute("delete from \(table) where app_number = $1", [.int(Int64(number))])
            }
        }
        _ = try await ends.copy(query(table, state, ends, where: "true"), into: table, ends.names(of: table))
    }

    private func merge(_ table: String, _ statement: String, _ state: Arrival, _ ends: MovingEnds) async throws {
        try await ends.target.executeScript("create temporary table arriving (like \(table)) on commit drop")
        let new = query(table, state, ends, where: "transaction_number >= \(state.linksThrough)")
        _ = try await ends.copy(new, into: "arriving", ends.names(of: table))
        try await ends.target.executeScript("\(statement); drop table arriving")
    }

    /// Keys of deleted people's events: no retry may bring them back. Those events go, if they were copied before.
    private func copyErased(_ state: Arrival, _ ends: MovingEnds) async throws {
        try await ends.target.executeScript(
            "create temporary table kept_key (event_id uuid primary key) on commit drop"
        )
        let kept = "select event_id from event_key where app_number = \(ends.app.number) and received_at = 'infinity'"
        guard try await ends.copy(kept, into: "kept_key", ["event_id"]) > 0 else { return }
        try await ends.target.run { [number = state.number] connection in
            _ = try connection.execute(StoredSQL.keepErased, [.int(Int64(number))])
        }
    }
}
