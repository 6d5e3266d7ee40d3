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
        Record([
            ("app_id", .string(id)), ("name", .string(name)), ("namespace", .optional(namespace)),
            ("bundle_ids", .list(linkApp.bundleIDs)), ("iphone_store_id", .optional(linkApp.iPhoneStoreID)),
            ("ipad_store_id", .optional(linkApp.iPadStoreID)), ("url_scheme_suffixes", .list(urlSchemeSuffixes)),
            ("login", .bool(login)), ("deep_linking", .bool(linkApp.deepLinking)), ("time_zone", .string(timeZone)),
            ("currency", .string(currency)), ("link_hosts", .list(linkHosts)),
            ("android_package", .optional(linkApp.androidPackage)),
            ("android_certs", .list(linkApp.androidCertificates)),
            ("apple_team_id", .optional(linkApp.appleTeamID)),
            ("apple_provider_token", .optional(linkApp.appleProviderToken)),
            ("meta_referrer_key", .string(hasMetaReferrerKey ? "set" : "not set")),
            ("ios_carry", .string(linkApp.iosCarry.rawValue)),
            ("page_words", .optional(linkApp.pageWords.isEmpty ? nil : linkApp.pageWords.json)),
            ("page_color", .optional(linkApp.pageColor)), ("page_logo", .optional(linkApp.pageLogo)),
        ])
    }
}
