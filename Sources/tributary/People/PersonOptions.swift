import ArgumentParser
import Postgres
import Settings
import Reporting
import Storage
import Timelines

/// The person that a command works on.
struct PersonOptions: ParsableArguments {
    @OptionGroup var database: DatabaseOptions

    @OptionGroup var app: AppOption

    @Option(help: "The person's user_id.")
    var user: String?

    @Option(help: "A device_id of the person.")
    var device: String?

    @Option(help: "A click_id of the person.")
    var click: String?

    /// - Throws: `CommandFailure` unless exactly one id is named.
    func key() throws -> PersonKey {
        let keys = [
            user.map { PersonKey(.user, $0) }, device.map { PersonKey(.device, $0) },
            click.map { PersonKey(.click, $0) },
        ]
        .compactMap(\.self)
        guard keys.count == 1, let key = keys.first else {
            throw CommandFailure(.usage, "name the person by exactly one of --user, --device and --click")
        }
        guard !key.id.isEmpty else { throw CommandFailure(.usage, "--\(key.kind.rawValue) is empty") }
        return key
    }

    /// Runs the body with the app and with its people, those in the spools on this machine included.
    func withStore<Result>(
        readsOnly: Bool = false,
        _ body: (PersonStore, App, PersonKey) async throws -> Result
    ) async throws -> Result {
        try await withPool(readsOnly: readsOnly) { store, app, key, _ in try await body(store, app, key) }
    }

    /// The same with the database.
    func withPool<Result>(
        readsOnly: Bool,
        _ body: (PersonStore, App, PersonKey, PostgresPool) async throws -> Result
    ) async throws -> Result {
        let key = try key()
        return try await database.withPool(readsOnly: readsOnly) { pool in
            let spools = try await database.spools(of: pool)
            let app = try await app.app(on: pool)
            return try await body(PersonStore(pool: pool, spools: spools, packed: TimelineRemoval()), app, key, pool)
        }
    }
}

extension DatabaseOptions {
    /// The spools on this machine whose events wait for this database.
    func spools(of pool: PostgresPool) async throws -> SpoolFolder {
        let settings = try await SpoolSettings(SettingsReader(file: file), of: chosen())
        return try await SpoolFolder(path: settings.folder, root: settings.root, of: pool)
    }
}
