import Postgres

/// The pages of a table, to read its rows page range by page range. On a cluster, the rows of an app are in a shard on
/// its worker, so there each app has pages of its own.
struct TablePages {
    /// Whose rows these are; nil: those of every app.
    let app: Int32?
    /// How many there are now.
    let count: Int

    /// The pages of a table.
    ///
    /// - Parameters:
    ///   - table: a table's name from PostgreSQL's catalogue or from `StoredTable`.
    ///   - app: nil: the rows of every app.
    /// - Returns: nothing if there is no such table: a month may be dropped meanwhile.
    static func all(
        of table: String,
        app: Int32?,
        on connection: isolated PostgresConnection
    ) throws -> [TablePages] {
        let name = "\"\(table)\""
        guard try connection.query("select to_regclass($1) is not null", [.text(name)])[0].bool(0) else { return [] }
        if try connection.isDistributed && Distribution.isPlaced(name, connection) {
            return try onWorkers(of: name, app: app, on: connection)
        }
        let pages = try connection.query(
            "select pg_relation_size(to_regclass($1)) / current_setting('block_size')::bigint",
            [.text(name)]
        )[0].optionalInt(0)
        return [TablePages(app: app, count: pages ?? 0)]
    }

    private static func onWorkers(
        of name: String,
        app: Int32?,
        on connection: isolated PostgresConnection
    ) throws -> [TablePages] {
        let apps =
            try app.map { [Int64($0)] }
            ?? connection.query("select app_number from app order by app_number").map { try $0.int64(0) }
        return try connection.query(StoredSQL.selectAppPages, [.text(name), .intArray(apps)]).map { row in
            let answer = try row.optionalText(2) ?? ""
            guard try row.bool(1), let count = Int(answer) else {
                throw DistributionError.silentWorker(name: "worker \(try row.text(3))", reason: answer)
            }
            return TablePages(app: Int32(try row.int(0)), count: count)
        }
    }
}
