package import Postgres
package import Redirects
package import Time

/// A click on a link, as it was stored.
package struct StoredClick: Equatable, Sendable {
    package var occurredAt: Timestamp
    /// Host and slug of the short link; nil if another program has sent the click.
    package var host: String?
    package var slug: String?
    package var targetURL: String?
    package var refs: [String]

    /// Reads the click of an app that has an id; nil if there is none.
    package static func read(id: String, of app: App, on pool: PostgresPool) async throws -> StoredClick? {
        try await pool.withConnection { connection in
            try connection.query(StoredSQL.selectClick, [.int(Int64(app.number)), .text(id)]).first.map {
                try StoredClick($0)
            }
        }
    }

    /// The id of the click that a code stands for, for one installation: the first that asks, and then no other.
    ///
    /// - Parameter deviceID: of the installation. Nil: it cannot ask again.
    /// - Returns: nil if the app has no such click, it is too old, or another installation has used its code.
    package static func use(
        _ code: CarryCode,
        by deviceID: String?,
        of app: App,
        on pool: PostgresPool
    ) async throws -> String? {
        try await pool.withConnection { connection in
            let number = PostgresValue.int(Int64(app.number))
            let found = try connection.query(
                StoredSQL.selectClickOfCode,
                [number, .bytes(code.bytes), .int(CarryCode.lifetime.components.seconds)]
            )
            // A code of two clicks is nobody's.
            guard found.count == 1 else { return nil }
            let click = try found[0].text(0)
            let used = try connection.query(
                StoredSQL.useClickCode,
                [number, .text(click), PostgresValue(deviceID)]
            )
            return used.isEmpty ? nil : click
        }
    }

    private init(_ row: PostgresRow) throws {
        occurredAt = Timestamp(microseconds: try row.timestamp(0))
        host = try row.optionalText(1)
        slug = try row.optionalText(2)
        targetURL = try row.optionalText(3)
        refs = try row.optionalTextArray(4) ?? []
    }
}
