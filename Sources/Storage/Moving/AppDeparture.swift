package import Postgres

/// An app that moves to another database (docs/moving.md).
package struct AppDeparture {
    var target: DatabaseIdentity
    var isBarred: Bool
    var hasMoved: Bool

    /// Nil: the app does not move.
    static func read(of app: Int32, on connection: isolated PostgresConnection) throws -> AppDeparture? {
        try connection.query(StoredSQL.selectDeparture, [.int(Int64(app))]).first.map { row in
            AppDeparture(
                target: DatabaseIdentity(text: try row.text(0)),
                isBarred: try row.bool(1),
                hasMoved: try row.bool(2)
            )
        }
    }

    /// Lets an app be stored here again that has not moved.
    ///
    /// - Parameter target: nil: wherever it moves to.
    /// - Returns: whether it was moving there.
    static func takeBack(
        _ app: Int32,
        to target: DatabaseIdentity?,
        on connection: isolated PostgresConnection
    ) throws -> Bool {
        try connection.execute(StoredSQL.deleteDeparture, [.int(Int64(app)), PostgresValue(target?.text)]) > 0
    }

    /// Whether an app has moved away, and is served there.
    static func hasMoved(_ id: String, on connection: isolated PostgresConnection) throws -> Bool {
        try connection.query(
            """
            select exists (
                select from app join app_departure using (app_number) where app_id = $1 and moved_at is not null
            )
            """,
            [.text(id)]
        )[0].bool(0)
    }

    /// Whether an app is moving away, or has moved. Nil: any.
    static func isMoving(_ app: Int32?, on connection: isolated PostgresConnection) throws -> Bool {
        let number = app.map { PostgresValue.int(Int64($0)) } ?? .null
        return try connection.query(
            """
            select exists (
                select
                from app_departure
                where ($1::integer is null and moved_at is null) or app_number = $1
            )
            """,
            [number]
        )[0].bool(0)
    }

    /// The apps that may not be stored here any more.
    static func barred(on connection: isolated PostgresConnection) throws -> Set<Int32> {
        try numbers("barred_at is not null", on: connection)
    }

    /// The apps that have moved to another database, and are served there.
    package static func moved(on connection: isolated PostgresConnection) throws -> Set<Int32> {
        try numbers("moved_at is not null", on: connection)
    }

    private static func numbers(
        _ condition: StaticString,
        on connection: isolated PostgresConnection
    ) throws -> Set<Int32> {
        let rows = try connection.query("select app_number from app_departure where \(condition)")
        return Set(try rows.map { Int32(try $0.int(0)) })
    }

    /// The apps that have come here from another database, or come back to this one: their numbers there and here.
    package static func arrived(
        from origin: DatabaseIdentity,
        on connection: isolated PostgresConnection
    ) throws -> [Int32: Int32] {
        let rows = try connection.query(StoredSQL.selectArrivedApps, [.text(origin.text)])
        return Dictionary(try rows.map { (Int32(try $0.int(0)), Int32(try $0.int(1))) }) { first, _ in first }
    }
}

extension PostgresError {
    /// Whether the error says that an app moves to another database (`refuse_moving_app`).
    package var isOfMovingApp: Bool { isReadOnly && table == "app_departure" }
}
