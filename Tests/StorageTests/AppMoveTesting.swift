import Events
import Postgres
import PostgresTesting
@testable import Storage
import Testing
import Time

/// An app in one database, and another database that it moves to.
enum AppMoveTesting {
    typealias Base = StorageTesting

    struct End: Error {}

    /// Another app there has rows in every table, so numbers are taken.
    static func with<R: Sendable>(
        _ ends: TestEnds,
        _ body: @Sendable (_ source: Base, _ target: TestDatabase) async throws -> R
    ) async throws -> R {
        try await Base.with(onCluster: ends.sourceIsOnCluster) { source in
            try await Base.with(onCluster: ends.targetIsOnCluster) { target in
                try await target.run(
                    """
                    update database_identity set identity = gen_random_uuid();
                    update app set app_id = 'theirs'
                    """
                )
                _ = try await AppStore(pool: target.pool).create(AppProfile(id: "more", name: "More"))
                try await target.store([Base.event(1, user: "alice", device: "phone")])
                try await target.storeSettings()
                return try await body(source, target.database)
            }
        }
    }

    static func move(
        _ source: Base,
        _ target: TestDatabase,
        piece: Int = 2,
        reached: @escaping @Sendable (AppMove.Stage) async throws -> Void = { _ in }
    ) -> AppMove {
        AppMove(of: "shop", from: source.pool, to: target.pool, piece: piece, reached: reached)
    }

    static func texts(_ pool: PostgresPool, _ sql: String) async throws -> [String] {
        try await pool.withConnection { connection in try connection.query(sql).map { try $0.text(0) } }
    }

    static func ids(_ pool: PostgresPool, _ app: String = "shop") async throws -> [String] {
        try await texts(
            pool,
            "select event_id::text from event join app using (app_number) where app_id = '\(app)' order by 1"
        )
    }

    static func numbers(_ range: Range<UInt64>) -> [Event] {
        range.map { number in
            let time = Base.noon.advanced(by: Base.day * -Int(number % 70))
            return Base.event(number, at: time, user: "u\(number % 5)", device: "d\(number % 3)", click: "c\(number)")
        }
    }

    /// All rows of an app in a table, without the numbers that a database makes.
    static func rows(_ table: StoredTable, _ pool: PostgresPool) async throws -> [String] {
        let number = try await texts(pool, "select app_number::text from app where app_id = 'shop'")
        return try await texts(
            pool,
            """
            select (
                to_jsonb(stored) - array[
                    'app_number', 'question_number', 'schedule_number', 'page_number', 'note_number', 'cost_number',
                    'change_number', 'revision', 'user_number'
                ]
            )::text
            from \(table.name) as stored
            where app_number = \(try #require(number.first))
                and to_jsonb(stored) ->> 'kind' is distinct from 'app.move'
            order by 1
            """
        )
    }
}
