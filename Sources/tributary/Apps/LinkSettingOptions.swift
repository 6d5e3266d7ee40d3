import ArgumentParser
import InboundLinks
import Postgres
import Redirects
import Storage

/// The settings of an app that can be changed later: those of its links (docs/redirects.md, *The app's settings*).
struct LinkSettingOptions: ParsableArguments {
    @Option(
        name: .customLong("link-host"),
        help: ArgumentHelp(
            "A host that serves the app's short links; may be repeated. New links are on the first.",
            valueName: "host"
        )
    )
    var linkHosts: [String] = []

    @Option(name: .customLong("bundle-id"), help: "An iOS bundle id; may be repeated.")
    var bundleIDs: [String] = []

    @Option(
        name: .customLong("iphone-store-id"),
        help: "The App Store id of the iPhone app, a number. 0: not listed."
    )
    var iPhoneStoreID: String?

    @Option(
        name: .customLong("ipad-store-id"),
        help: "The App Store id of the iPad app. 0: not listed. Default: the iPhone's."
    )
    var iPadStoreID: String?

    @Option(help: .choice(of: Switch.self, "Whether links open the app (default: on)."))
    var deepLinking: Switch?

    @Option(help: ArgumentHelp("The app's package at Google Play. 0: not listed.", valueName: "package"))
    var androidPackage: String?

    @Option(
        name: .customLong("android-cert"),
        help: ArgumentHelp(
            "A SHA-256 fingerprint of the certificates that sign the Android app; may be repeated.",
            valueName: "fingerprint"
        )
    )
    var androidCertificates: [String] = []

    @Option(name: .customLong("apple-team-id"), help: ArgumentHelp("The team at Apple.", valueName: "team"))
    var appleTeamID: String?

    @Option(
        name: .customLong("apple-provider-token"),
        help: ArgumentHelp("The provider token (pt) of App Store campaign links.", valueName: "token")
    )
    var appleProviderToken: String?

    @Option(
        name: .customLong("meta-referrer-key"),
        help: ArgumentHelp(
            """
            The Install Referrer Decryption Key of the Android app in Meta's App Dashboard, 64 hexadecimal digits. It is \
            never shown again.
            """,
            valueName: "hex"
        )
    )
    var metaReferrerKey: String?

    @Option(
        name: .customLong("ios-carry"),
        help: .choice(
            of: IOSCarry.self,
            """
            What visitors take along to the app that they install on an iPhone or iPad: a link to paste, a code to type, \
            both or nothing (default: off).
            """
        )
    )
    var iosCarry: IOSCarry?

    @Option(
        help: ArgumentHelp(
            "A file with the words of pages, by language (YAML); - is standard input.",
            valueName: "file"
        ),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var pageWords: String?

    @Option(help: ArgumentHelp("The colour of the buttons on pages, such as #0f766e.", valueName: "colour"))
    var pageColor: String?

    @Option(help: ArgumentHelp("The https address of a picture for the pages.", valueName: "url"))
    var pageLogo: String?

    /// Sets the key of Meta if one is given, and takes it away if it is empty. Call ``checkMetaReferrerKey()`` before.
    func setMetaReferrerKey(ofApp id: String, _ pool: PostgresPool) async throws {
        guard let metaReferrerKey else { return }
        try await AppStore(pool: pool).setMetaReferrerKey(MetaReferrerKey(hexadecimal: metaReferrerKey), ofApp: id)
    }

    func checkMetaReferrerKey() throws {
        guard let metaReferrerKey, !metaReferrerKey.isEmpty, MetaReferrerKey(hexadecimal: metaReferrerKey) == nil else {
            return
        }
        // Without the value, which is nearly the secret.
        throw CommandFailure(
            .usage,
            "--meta-referrer-key takes \(MetaReferrerKey.length * 2) hexadecimal digits, not \(metaReferrerKey.count) characters"
        )
    }

    /// Sets what is given. An empty value removes a setting.
    ///
    /// - Throws: `CommandFailure` with all wrong values.
    func apply(to profile: inout AppProfile) throws {
        Self.set(\.bundleIDs, to: bundleIDs, of: &profile)
        Self.set(\.iPhoneStoreID, to: iPhoneStoreID, of: &profile)
        Self.set(\.iPadStoreID, to: iPadStoreID, of: &profile)
        if let deepLinking { profile.deepLinking = deepLinking == .on }
        Self.set(\.androidPackage, to: androidPackage, of: &profile)
        Self.set(
            \.androidCertificates,
            to: androidCertificates.map { AppRules.fingerprint($0) ?? $0 },
            of: &profile
        )
        Self.set(\.appleTeamID, to: appleTeamID, of: &profile)
        Self.set(\.appleProviderToken, to: appleProviderToken, of: &profile)
        if let iosCarry { profile.iosCarry = iosCarry }
        if let pageWords { profile.pageWords = try Self.words(pageWords) }
        Self.set(\.pageColor, to: pageColor, of: &profile)
        Self.set(\.pageLogo, to: pageLogo, of: &profile)
        Self.set(\.linkHosts, to: try linkHosts.map(Self.host), of: &profile)
        let faults = AppRules.faults(of: profile.linkApp)
        if !faults.isEmpty { throw CommandFailure(.usage, faults.inOptions) }
    }

    /// Warns of settings of the app without an effect, and of links that lead to a host which has just become one of
    /// links.
    func warn(of app: LinkApp, _ pool: PostgresPool) async throws {
        let loops = linkHosts.isEmpty ? [] : try await LinkFindings.all(pool)
        for finding in [AppCheck.uncarried(app)].compactMap({ $0 }) + loops {
            StandardError.write("warning: " + [finding.what, finding.advice].compactMap { $0 }.joined(separator: ". "))
        }
    }

    private static func set(
        _ setting: WritableKeyPath<AppProfile, [String]>,
        to values: [String],
        of profile: inout AppProfile
    ) {
        guard !values.isEmpty else { return }
        var list: [String] = []
        for value in values where !value.isEmpty && !list.contains(value) { list.append(value) }
        profile[keyPath: setting] = list
    }

    private static func set(
        _ setting: WritableKeyPath<AppProfile, String?>,
        to value: String?,
        of profile: inout AppProfile
    ) {
        guard let value else { return }
        profile[keyPath: setting] = value.isEmpty ? nil : value
    }

    /// - Parameter path: `-` is standard input; empty: the app has no words of its own.
    private static func words(_ path: String) throws -> PageWords {
        guard !path.isEmpty else { return PageWords() }
        return try PageWords(
            yaml: YAMLFile.text(path, of: "words", limit: PageWords.byteLimit),
            name: path == "-" ? "standard input" : path
        )
    }

    private static func host(_ text: String) throws -> String {
        if text.isEmpty { return "" }
        guard let host = LinkHost.normalised(text) else {
            throw CommandFailure(.usage, "--link-host takes the name of a host such as go.example.com, not '\(text)'")
        }
        return host
    }
}

extension IOSCarry: ExpressibleByArgument {}

extension [LinkFault] {
    /// What is wrong, with options in place of fields: `target_url` becomes `--target-url`.
    var inOptions: String {
        map { fault in
            let option = "--" + fault.field.replacing("_", with: "-")
            guard fault.message.hasPrefix(fault.field + " ") else { return "\(option): \(fault.message)" }
            return option + fault.message.dropFirst(fault.field.count)
        }.joined(separator: "; ")
    }
}
