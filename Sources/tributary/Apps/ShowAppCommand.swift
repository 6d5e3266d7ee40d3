import ArgumentParser
import InboundLinks
import Storage

struct ShowAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show an app.")

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The app's id.", completion: AppIDs.completion)
    var id: String

    @Option(help: "The form of the output.")
    var format: RecordFormat = .text

    func run() async throws {
        let profile = try await database.withPool { try await AppStore(pool: $0).app(id: id) }.profile
        Record([
            ("app_id", .string(profile.id)), ("name", .string(profile.name)),
            ("namespace", .optional(profile.namespace)), ("bundle_ids", .list(profile.bundleIDs)),
            ("iphone_store_id", .optional(profile.iPhoneStoreID)), ("ipad_store_id", .optional(profile.iPadStoreID)),
            ("url_scheme_suffixes", .list(profile.urlSchemeSuffixes)), ("login", .bool(profile.login)),
            ("deep_linking", .bool(profile.deepLinking)), ("time_zone", .string(profile.timeZone)),
            ("currency", .string(profile.currency)),
        ]).print(as: format)
    }
}
