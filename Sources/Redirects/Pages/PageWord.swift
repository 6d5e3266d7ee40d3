/// A text of the pages that visitors see. Raw values are the keys of a file of words (docs/redirects.md, *Words and
/// looks*). `{app}` stands for the app's name.
package enum PageWord: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    case open
    /// For a button to a store, which opens an app that is there.
    case openOrGet = "open_or_get"
    case get
    case `continue`
    case code
    case copy
    case wait
    case notAvailable = "not_available"
    case notAvailableText = "not_available_text"
    case expired
    case expiredText = "expired_text"
    case notFound = "not_found"
    case notFoundText = "not_found_text"

    package var english: String {
        switch self {
        case .open: "Open in {app}"
        case .openOrGet: "Open or get the app"
        case .get: "Get the app"
        case .continue: "Continue on the web"
        case .code: "When the app is there, type this code in it:"
        case .copy: "The button also copies this link, so that the app can open the right page."
        case .wait: "One moment"
        case .notAvailable: "Not available on this device"
        case .notAvailableText: "{app} has no page and no app for this device."
        case .expired: "This link has expired"
        case .expiredText: "It was a link of {app}."
        case .notFound: "There is no such link"
        case .notFoundText: "{app} has no link at this address. Check its spelling."
        }
    }
}
