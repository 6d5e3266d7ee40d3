/// A setting that cannot be used: wrong usage, exit status 64. The message names the setting, but not a value that may
/// be a secret.
package struct SettingsError: Error, CustomStringConvertible {
    package var message: String

    package init(message: String) {
        self.message = message
    }

    package var description: String { message }
}
