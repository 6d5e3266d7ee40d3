/// What a key allows: only one of these.
package enum KeyScope: String, CaseIterable, Sendable {
    case write, read
    /// What a manager of the app does: it reads everything, and changes links and costs.
    case manage
    /// Anyone can read the key in an app or a page. It may send what an app knows of its device.
    case app

    /// Whether it reads what others have sent.
    package var reads: Bool {
        switch self {
        case .read, .manage: true
        case .write, .app: false
        }
    }

    /// The kind of key, for messages.
    package var phrase: String {
        switch self {
        case .write: "a write key"
        case .read: "a read key"
        case .manage: "a manage key"
        case .app: "a key for apps"
        }
    }
}
