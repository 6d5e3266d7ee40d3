import ArgumentParser
import Storage

struct RevokeKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke-key",
        abstract: "Revoke a key: every daemon refuses it within a second.",
        discussion: """
              tributary app keys shop
              tributary app revoke-key shop trib_w_Xy3kQ
            """
    )

    @OptionGroup var app: NamedApp

    @Argument(help: "The key's first characters, as 'tributary app keys' shows them, or the whole key.")
    var key: String

    func run() async throws {
        // The list of keys shows an ellipsis after the first characters.
        let name = key.hasSuffix("…") ? String(key.dropLast()) : key
        let id = app.id
        try await app.withStore { store, app in
            let keys = try await store.keys(of: app).filter { $0.revokedAt == nil }
            do {
                guard try await store.revokeKey(of: app, named: name) else {
                    let known = keys.map(\.prefix)
                    // A longer text may be a whole key, which is a secret: suggest nothing for it.
                    let hint = name == AppKey.prefix(of: name) ? Suggestion.sentence(for: name, among: known) : ""
                    throw CommandFailure(.usage, "the app '\(id)' has no such key, or it is already revoked" + hint)
                }
            } catch let error as AppStore.SeveralKeys {
                throw CommandFailure(.usage, "\(error.count) keys begin with these characters: give the whole key")
            }
            print("revoked \(AppKey.prefix(of: name))…")
            let left = try await store.keys(of: app).filter { $0.revokedAt == nil }
            for scope in [AppKey.Scope.write, .read] where !left.contains(where: { $0.scope == scope }) {
                StandardError.write(
                    "the app has no \(scope.rawValue) key left; 'tributary app add-key \(id) --scope \(scope.rawValue)' creates one"
                )
            }
        }
    }
}
