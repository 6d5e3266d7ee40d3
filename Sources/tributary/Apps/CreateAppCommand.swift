import ArgumentParser
import Events
import Foundation
import InboundLinks
import Reporting
import Storage
import Text

struct CreateAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an app, and print its write key and its read key once.",
        discussion: """
            The app's backend sends events with the write key. People and tools read reports with the read key. Only \
            hashes of the keys are stored: replace a lost key with 'tributary app rotate-key ID --scope read'.

              tributary app create --id shop --name Shop
              tributary app create --id game --name Game --time-zone Europe/Berlin
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: "The app's id in requests and reports: 1–64 letters, digits, '.', '_' or '-'.")
    var id: String

    @Option(help: "The app's name, as people see it.")
    var name: String

    @Option(help: "The Facebook canvas namespace (apps.facebook.com/<namespace>/).")
    var namespace: String?

    @Option(
        name: .customLong("url-scheme-suffix"),
        help: "The letters after fb<APPID> in the app's URL scheme; may be repeated."
    )
    var urlSchemeSuffixes: [String] = []

    @Option(help: .choice(of: Switch.self, "Whether people log in with Facebook."))
    var login: Switch = .on

    @Option(help: "The time zone of days in reports, such as Europe/Berlin.")
    var timeZone = "UTC"

    @Option(help: "The currency of the sums in reports, such as EUR (ISO 4217).")
    var currency = "USD"

    @OptionGroup var links: LinkSettingOptions

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let profile = try profile()
        let links = links
        try links.checkMetaReferrerKey()
        let keys = try await database.withPool { pool in
            let keys = try await AppStore(pool: pool).create(profile)
            try await links.setMetaReferrerKey(ofApp: profile.id, pool)
            try await links.warn(of: profile.linkApp, pool)
            return keys
        }
        Record([
            ("app_id", .string(profile.id)), ("write_key", .string(keys.writeKey)),
            ("read_key", .string(keys.readKey)),
        ]).print(as: format.form)
    }

    private func profile() throws -> AppProfile {
        let isPlain = id.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        // It is a part of URLs, and the name of a folder.
        guard isPlain, (1...64).contains(id.utf8.count), !id.allSatisfy({ $0 == "." }) else {
            throw CommandFailure(.usage, "--id takes 1 to 64 letters, digits, '.', '_' or '-', and not points alone")
        }
        try Self.check(name: name)
        for suffix in urlSchemeSuffixes where suffix.isEmpty || !suffix.utf8.allSatisfy({ (97...122).contains($0) }) {
            throw CommandFailure(.usage, "--url-scheme-suffix takes lowercase letters, not '\(suffix)'")
        }
        guard ReportTimeZone.names.contains(timeZone) || timeZone == "GMT" else {
            let hint = Suggestion.sentence(
                for: timeZone,
                among: ReportTimeZone.names,
                showing: ReportTimeZone.names(near: timeZone)
            )
            throw CommandFailure(.usage, "unknown time zone '\(timeZone)'" + hint)
        }
        guard let currency = CurrencyCode.normalised(currency) else {
            throw CommandFailure(.usage, "'\(self.currency)' is not an ISO 4217 currency code such as USD or EUR")
        }
        var profile = AppProfile(id: id, name: name)
        profile.namespace = namespace
        profile.urlSchemeSuffixes = urlSchemeSuffixes
        profile.login = login == .on
        profile.timeZone = timeZone
        profile.currency = currency
        try links.apply(to: &profile)
        return profile
    }

    static func check(name: String) throws {
        guard (1...256).contains(name.utf8.count) else {
            throw CommandFailure(.usage, "--name takes 1 to 256 bytes")
        }
        guard !name.unicodeScalars.contains(where: \.isControl) else {
            throw CommandFailure(.usage, "--name has control or invisible characters; leave them out")
        }
    }
}
