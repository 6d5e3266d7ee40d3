import Events
import Postgres
import Storage

extension SharedDevices {
    /// Reads them inside the caller's transaction, which plans by order (`ScanPlanning.byOrder`).
    ///
    /// - Parameter limit: how many bytes they may take.
    /// - Throws: `TimelineError.tooManySharedDevices`.
    init(app: App, limit: Int, on connection: isolated PostgresConnection) throws {
        let most = limit / MemoryLayout<Install>.stride
        let statement = BoundStatement(
            TimelineSQL.sharedDevices,
            ["app_number": String(app.number), "limit": String(most < .max ? most + 1 : most)]
        )
        var installs: [Install] = []
        try connection.copyOut(statement.copyOut) { row in
            guard installs.count < most else { throw TimelineError.tooManySharedDevices }
            installs.append((try row.nextEventID(), Int32(truncatingIfNeeded: try row.nextInt64())))
        }
        self.init(installs)
    }
}
