import ArgumentParser
import Storage
import Time
import InboundLinks

struct ListAppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the apps.")

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let apps = try await database.withPool(readsOnly: true) { try await AppStore(pool: $0).list() }
        Record.print(
            apps.map { app in
                Record([
                    ("app_id", .string(app.profile.id)), ("name", .string(app.profile.name)),
                    ("time_zone", .string(app.profile.timeZone)), ("currency", .string(app.profile.currency)),
                ])
            },
            as: format.form
        )
        if apps.isEmpty, format.form == .text {
            StandardError.write("there is no app yet; 'tributary app create --id ID --name NAME' creates one")
        }
    }
}
