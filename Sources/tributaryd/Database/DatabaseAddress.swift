import EmbeddedPostgres
import Logging
import Postgres
import Settings
import Synchronization

/// The address of the daemon's database. That of a private cluster is known when its server runs.
final class DatabaseAddress: Sendable {
    /// The private cluster; nil if a setting names the database.
    let cluster: EmbeddedPostgres?
    private let known: Mutex<PostgresAddress?>

    /// Starts nothing.
    ///
    /// - Throws: `SettingsError` if the address that a setting names cannot be read.
    init(_ settings: DatabaseSettings, logger: Logger) throws(SettingsError) {
        switch settings {
        case .named(let url):
            cluster = nil
            known = Mutex(try DatabaseSettings.address(named: url))
        case .embedded(let home):
            let cluster = EmbeddedPostgres(home: home, logger: logger)
            self.cluster = cluster
            if case .running(let address, _) = cluster.status() { known = Mutex(address) } else { known = Mutex(nil) }
        }
    }

    var isKnown: Bool { known.withLock { $0 != nil } }

    func set(_ address: PostgresAddress) {
        known.withLock { $0 = address }
    }

    /// - Throws: an error that means that the database is unavailable, until the address is known.
    func get() throws(PostgresError) -> PostgresAddress {
        guard let address = known.withLock({ $0 }) else {
            throw PostgresError(.connectionFailed, "the private PostgreSQL server is not running yet")
        }
        return address
    }
}
