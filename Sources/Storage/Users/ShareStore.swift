import InboundLinks
package import Postgres
import Time

/// The shared pages of apps. A secret is random and shown once; only its hash is stored.
package struct ShareStore: Sendable {
    /// For how many days a page may be shared.
    package static let days = 1...366
    /// How many pages an app may have; as many again from schedules.
    package static let limit = 1_000
    /// How long the page of a sending lives, in days.
    package static let daysOfSending = 14
    /// Who shares the pages of sendings.
    package static let schedule = "schedule"
    /// How long a page that is no longer shared stays in the list.
    static let listed: Duration = .seconds(30 * 86_400)

    private let pool: PostgresPool

    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Shares a question or a board as it is at each moment: who replaces it changes the page.
    ///
    /// - Parameter creator: who does this.
    /// - Throws: ``ShareStoreError``.
    package func share(
        _ question: String,
        of app: App,
        days: Int,
        by creator: String = Actor.name
    ) async throws -> (page: SharedPage, secret: String) {
        guard Self.days.contains(days) else { throw ShareStoreError.invalidDays(days) }
        guard let name = QuestionName(question) else { throw ShareStoreError.unknownQuestion(question) }
        let secret = AppKey.randomCharacters()
        let number = PostgresValue.int(Int64(app.number))
        return try await pool.withTransaction { connection in
            let rows = try connection.query(
                StoredSQL.insertSharedPage,
                [
                    number, .text(name.text), .bytes(AppKey.hash(secret)), .int(Int64(days)), .text(creator),
                    .int(Int64(Self.limit)), .text(Self.schedule),
                ]
            )
            if let row = rows.first {
                let page = try Self.page(row)
                let fields: ChangeLog.Fields = [("days", .number(Int64(days)))]
                try connection.log(.sharePage, page.name, in: app.number, to: fields)
                return (page, secret)
            }
            let questions = try connection.query(StoredSQL.selectQuestions, [number, .text(name.text)])
            throw questions.isEmpty ? ShareStoreError.unknownQuestion(name.text) : .tooMany
        }
    }

    /// The app's id and the question of a secret. Nil if the secret is unknown, or the page revoked or expired, or the
    /// question or its app deleted.
    package func page(_ secret: String) async throws -> (appID: String, question: String)? {
        try await pool.withConnection { connection in
            try connection.query(StoredSQL.selectSharedPage, [.bytes(AppKey.hash(secret))]).first.map { row in
                (try row.text(0), try row.text(1))
            }
        }
    }

    /// The shared pages of an app, the newest first, with those that are no longer shared.
    package func pages(of app: App) async throws -> [SharedPage] {
        try await pool.withConnection { connection in
            try connection.query(StoredSQL.selectSharedPages, [.int(Int64(app.number))]).map(Self.page)
        }
    }

    /// - Returns: false if the app has no such page, or if it is revoked already.
    package func revoke(_ number: Int64, of app: App) async throws -> Bool {
        try await pool.withTransaction { connection in
            let rows = try connection.query(StoredSQL.revokeSharedPage, [.int(Int64(app.number)), .int(number)])
            guard let page = try rows.first.map(Self.page) else { return false }
            try connection.log(.revokePage, page.name, in: app.number)
            return true
        }
    }

    private static func page(_ row: PostgresRow) throws -> SharedPage {
        SharedPage(
            number: try row.int64(0),
            question: try row.text(1),
            createdAt: Timestamp(microseconds: try row.timestamp(2)),
            expiresAt: Timestamp(microseconds: try row.timestamp(3)),
            revokedAt: try row.optionalTimestamp(4).map { Timestamp(microseconds: $0) },
            createdBy: try row.text(5)
        )
    }
}
