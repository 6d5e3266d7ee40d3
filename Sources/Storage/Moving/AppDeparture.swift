package import Postgres

/// Apps that move to another database (docs/moving.md).
package enum AppDeparture {
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
        Set(
            try connection.query("select app_number from app_departure where barred_at is not null").map {
                Int32(try $0.int(0))
            }
        )
    }

    /// The apps that have moved to another database, and are served there.
    package static func moved(on connection: isolated PostgresConnection) throws -> Set<Int32> {
        Set(
            try connection.query("select app_number from app_departure where moved_at is not null").map {
                Int32(try $0.int(0))
            }
        )
    }

    /// The apps that have come here from another database: their numbers there, and here.
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
