import ArgumentParser
import Postgres
import Storage

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
