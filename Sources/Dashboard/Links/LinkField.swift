import InboundLinks
import Redirects

/// A field of a link as people see it, in the form and on the link's page.
struct LinkField {
    enum Control {
        case text, address, area, time, checkbox
        case choice([String])
    }

    /// As in JSON, and as ``LinkFault`` names it.
    var name: String
    var label: String
    var hint = ""
    var control = Control.text

    var isCheckbox: Bool { if case .checkbox = control { true } else { false } }

    /// The fields in the order of the form, by the heading above them.
    static let groups: [(heading: String, fields: [LinkField])] = [
        (
            "",
            [
                LinkField(
                    name: "target_url",
                    label: "Target",
                    hint: "The web page that the link stands for. Without a website, leave it empty.",
                    control: .address
                ),
                LinkField(
                    name: "slug",
                    label: "Slug",
                    hint: "The end of the short link. Left empty, it is random."
                ),
                LinkField(name: "ref", label: "Refs", hint: "Categories for the reports, with commas between them."),
            ]
        ),
        (
            "The app and phones",
            [
                LinkField(
                    name: "app_url",
                    label: "Place in the app",
                    hint: "What the app opens, such as myapp://item/42.",
                    control: .address
                ),
                LinkField(
                    name: "mobile_url",
                    label: "Mobile page",
                    hint: "Left empty, it is the target.",
                    control: .address
                ),
                LinkField(
                    name: "fallback",
                    label: "Phones without the app",
                    hint: "Where they go first.",
                    control: .choice(Link.Fallback.allCases.map(\.rawValue))
                ),
            ]
        ),
        (
            "Preview",
            [
                LinkField(name: "title", label: "Title", hint: "Left empty, it is the app's name."),
                LinkField(name: "description", label: "Description", control: .area),
                LinkField(name: "image_url", label: "Image", hint: "Its address.", control: .address),
                LinkField(name: "site_name", label: "Site", hint: "Left empty, it is the app's name."),
                LinkField(name: "og_type", label: "Type", hint: "Of Open Graph. Left empty, it is website."),
            ]
        ),
        (
            "More",
            [
                LinkField(
                    name: "channel",
                    label: "Channel",
                    hint: "If empty, Tributary derives it from each click.",
                    control: .choice([""] + Channel.allCases.map(\.rawValue))
                ),
                LinkField(
                    name: "campaign",
                    label: "Campaign",
                    hint: "For the stores, at most 30 characters. Left empty, it is the slug."
                ),
                LinkField(
                    name: "forward_query",
                    label: "Pass the visitor's parameters on to the web page",
                    control: .checkbox
                ),
                LinkField(name: "append_click_id", label: "Give the web page the click's id", control: .checkbox),
                LinkField(name: "expires_at", label: "Ends at", control: .time),
                LinkField(
                    name: "expired_url",
                    label: "Page after the end",
                    hint: "Where visitors go then. Left empty, they read that the link has ended.",
                    control: .address
                ),
                LinkField(name: "note", label: "Note", hint: "Only you see it.", control: .area),
            ]
        ),
    ]

    static let all = groups.flatMap(\.fields)
}
