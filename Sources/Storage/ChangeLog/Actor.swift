import Synchronization

/// Who makes changes in this task. The log of changes names them (``ChangeLog``).
package enum Actor {
    /// A user's address, or a text below.
    @TaskLocal package static var current = commandLine
    /// Whose key a form of the dashboard has. It is known only after the form is read.
    @TaskLocal package static var ofForm: FormKey?

    /// Whom the log names.
    package static var name: String { ofForm?.name.withLock(\.self) ?? current }

    /// The name of a key, once it is known.
    package final class FormKey: Sendable {
        fileprivate let name = Mutex<String?>(nil)

        package init() {}

        package func set(_ name: String) { self.name.withLock { $0 = name } }
    }

    package static let commandLine = "command line"
    /// What the daemon does by itself.
    package static let daemon = "tributaryd"

    /// Whether a backend works with its write key. It may make a link for each share, and the log does not list those.
    static var isBackend: Bool { ofForm == nil && current.hasPrefix("key " + AppKey.Scope.write.mark) }

    /// - Parameter prefix: the first characters of the key.
    package static func key(_ prefix: String, label: String) -> String {
        "key \(prefix)…" + (label.isEmpty ? "" : " (\(label))")
    }
}
