import ArgumentParser
import InboundLinks
import JSONReading
import Redirects

/// The fields of a link (docs/redirects.md, *A link*). An empty value means: none.
struct LinkFieldOptions: ParsableArguments {
    @Option(name: .customLong("target-url"), help: ArgumentHelp("The page that the link stands for.", valueName: "url"))
    var targetURL: String?

    @Option(
        name: .customLong("mobile-url"),
        help: ArgumentHelp("The page for phones (default: the target).", valueName: "url")
    )
    var mobileURL: String?

    @Option(name: .customLong("app-url"), help: ArgumentHelp("The place in the app.", valueName: "url"))
    var appURL: String?

    @Option(help: ArgumentHelp("Where a phone without the app goes: store (default) or web.", valueName: "place"))
    var fallback: String?

    @Option(help: ArgumentHelp("Refs, with commas between them; may be repeated.", valueName: "refs"))
    var ref: [String] = []

    @Option(
        help: "The channel of the link's clicks (default: as each click says).",
        completion: .list(Channel.allCases.map(\.rawValue))
    )
    var channel: String?

    @Option(help: "The title that previews show (default: the app's name).")
    var title: String?

    @Option(help: "The description that previews show.")
    var description: String?

    @Option(name: .customLong("image-url"), help: ArgumentHelp("The picture that previews show.", valueName: "url"))
    var imageURL: String?

    @Option(help: "The name of the site that previews show.")
    var siteName: String?

    @Option(help: "The Open Graph type (default: website).")
    var ogType: String?

    @Option(help: .choice(of: Switch.self, "Whether the page gets the visitor's parameters (default: on)."))
    var forwardQuery: Switch?

    @Option(
        name: .customLong("append-click-id"),
        help: .choice(of: Switch.self, "Whether the page gets click_id (default: off).")
    )
    var appendClickID: Switch?

    @Option(help: "The campaign in the stores, up to 30 characters (default: the slug).")
    var campaign: String?

    @Option(help: ArgumentHelp("When the link ends, such as 2026-12-31T23:00:00Z.", valueName: "time"))
    var expiresAt: String?

    @Option(
        name: .customLong("expired-url"),
        help: ArgumentHelp("Where visitors go then, in place of a page.", valueName: "url")
    )
    var expiredURL: String?

    @Option(help: .choice(of: Switch.self, "Whether the link is switched off (default: off)."))
    var disabled: Switch?

    @Option(help: "A remark for yourself.")
    var note: String?

    /// The given fields, by their names in JSON.
    private var given: [(String, InspectionValue)] {
        let texts = [
            ("target_url", targetURL), ("mobile_url", mobileURL), ("app_url", appURL), ("fallback", fallback),
            ("channel", channel), ("title", title), ("description", description), ("image_url", imageURL),
            ("site_name", siteName), ("og_type", ogType), ("campaign", campaign), ("expires_at", expiresAt),
            ("expired_url", expiredURL), ("note", note),
        ]
        let switches = [
            ("forward_query", forwardQuery), ("append_click_id", appendClickID), ("disabled", disabled),
        ]
        var given: [(String, InspectionValue)] = []
        for case (let name, let text?) in texts { given.append((name, text.isEmpty ? .null : .string(text))) }
        for case (let name, let value?) in switches { given.append((name, .bool(value == .on))) }
        if !ref.isEmpty { given.append(("ref", .list(ref))) }
        return given
    }

    var isEmpty: Bool { given.isEmpty }

    /// Sets the given fields.
    ///
    /// - Throws: `LinkFault`.
    func apply(to link: inout Link) throws {
        let json = try JSONDocument(reading: InspectionValue.object(given).utf8).root
        for (name, value) in json.members { _ = try link.set(name, to: value) }
    }
}
