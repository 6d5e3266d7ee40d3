import ArgumentParser
import Postgres
import Storage

/// The app that a command of `tributary app` works on.
struct NamedApp: ParsableArguments {
    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The app's id.", completion: AppIDs.completion)
    var id: String

    func withStore<Result>(
        readsOnly: Bool = false,
        _ body: (AppStore, App) async throws -> Result
    ) async throws -> Result {
        try await database.withPool(readsOnly: readsOnly) { pool in
            let store = AppStore(pool: pool)
            return try await body(store, try await store.app(id: id))
        }
    }
}

/// The app that a command works on.
struct AppOption: ParsableArguments {
    static let meaning = "The app (default: the only one)."

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp("\(meaning)", valueName: "id"),
        completion: AppIDs.completion
    )
    var id: String?

    func app(on pool: PostgresPool) async throws -> App {
        try await AppStore(pool: pool).app(named: id)
    }
}
