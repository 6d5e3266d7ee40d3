import Postgres
import Events
import Time

extension PersonClaims {
    /// Inserts the links into the database. If a link exists, the one from the earlier event wins.
    func insertLinks(in app: Int32, on connection: isolated PostgresConnection) throws {
        guard !isEmpty else { return }
        let transaction = try connection.query("select current_transaction_number()")[0].int64(0)
        let (device, click) = (Columns(claims, of: .device), Columns(claims, of: .click))
        try connection.execute(
            StoredSQL.insertLinks,
            [
                device.apps(app), .array(device.keys), .array(device.users), .array(device.times), .array(device.ids),
                click.apps(app), .array(click.keys), .array(click.users), .array(click.devices),
                .array(click.precedences), .array(click.times), .array(click.ids), .int(transaction),
            ]
        )
    }

    /// The parameters of `insert_links.sql` for devices, or for clicks, sorted by key.
    private struct Columns {
        private(set) var count = 0
        private(set) var keys = PostgresArray(.text)
        private(set) var users = PostgresArray(.text)
        /// Of clicks only; null if there is a user.
        private(set) var devices = PostgresArray(.text)
        private(set) var precedences = PostgresArray(.int32)
        private(set) var times = PostgresArray(.timestamp)
        private(set) var ids = PostgresArray(.uuid)

        init(_ claims: [PersonKey: PersonClaim], of kind: PersonKey.Kind) {
            for (key, claim) in claims.filter({ $0.key.kind == kind }).sorted(by: { $0.key < $1.key }) {
                count += 1
                keys.append(text: key.id)
                users.append(text: claim.owner.kind == .user ? claim.owner.id : nil)
                devices.append(text: claim.owner.kind == .device ? claim.owner.id : nil)
                precedences.append(int32: claim.precedence)
                times.append(timestamp: claim.occurredAt.microseconds)
                ids.append(uuidHigh: claim.eventID.high, low: claim.eventID.low)
            }
        }

        func apps(_ number: Int32) -> PostgresValue {
            var apps = PostgresArray(.int32, capacity: count)
            for _ in 0..<count { apps.append(int32: number) }
            return .array(apps)
        }
    }
}
