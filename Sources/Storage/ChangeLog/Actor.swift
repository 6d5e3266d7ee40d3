/// Who makes changes in this task. The log of changes names them (``ChangeLog``).
package enum Actor {
    /// A user's address, or a text below.
    @TaskLocal package static var current = commandLine

    package static let commandLine = "command line"
    /// What the daemon does by itself.
    package static let daemon = "tributaryd"

    /// - Parameter prefix: the first characters of the key.
    package static func key(_ prefix: String, label: String) -> String {
        "key \(prefix)…" + (label.isEmpty ? "" : " (\(label))")
    }
}
