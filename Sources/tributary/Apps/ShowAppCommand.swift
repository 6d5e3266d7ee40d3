import ArgumentParser
import InboundLinks
import Redirects
import Storage

struct ShowAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show an app.")

    @OptionGroup var app: NamedApp

    @OptionGroup var format: RecordFormat

    func run() async throws {
        try await app.withStore(readsOnly: true) { $1.profile.record }.print(as: format.form)
    }
}

extension AppProfile {
    /// All settings.
    var record: Record {
        let key = hasMetaReferrerKey ? "set" : "not set"
        return Record([("app_id", .string(id))] + fields + [("meta_referrer_key", .string(key))])
    }
}
