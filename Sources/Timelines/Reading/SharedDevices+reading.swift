import Events
import Postgres
import Storage

extension SharedDevices {
    /// Reads them inside the caller's transaction, which plans for many events.
    init(app: App, on connection: isolated PostgresConnection) throws {
        let statement = BoundStatement(TimelineSQL.sharedDevices, ["app_number": String(app.number)])
        var installs: [Install] = []
        try connection.copyOut(statement.copyOut) { row in
            installs.append((try row.nextEventID(), Int32(truncatingIfNeeded: try row.nextInt64())))
        }
        self.init(installs)
    }
}
