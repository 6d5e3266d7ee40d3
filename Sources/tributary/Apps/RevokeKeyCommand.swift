import ArgumentParser
import Storage

struct RevokeKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke-key",
        abstract: "Revoke a key: every daemon refuses it within a second.",
        discussion: """
              tributary app keys shop
              tributary app revoke-key shop trib_w_Xy3k
            """
    )

    @OptionGroup var app: NamedApp

    @Argument(help: "The key's first 11 characters, as 'tributary app keys' shows them, more of it, or the whole key.")
    var key: String

    func run() async throws {
        let id = app.id
        guard let name = AppKey.Name(key) else {
            throw CommandFailure(
                .usage,
                "give the first \(AppKey.prefixLength) characters of the key: trib_, and six more"
            )
        }
        try await app.withStore { store, app in
            do {
                switch try await store.revokeKey(of: app, named: name) {
                case .revoked: print("revoked \(name.prefix)…")
                case .alreadyRevoked: print("\(name.prefix)… is already revoked")
                case .unknown:
                    let known = try await store.keys(of: app).filter { $0.revokedAt == nil }.map(\.prefix)
                    // A whole key is a secret: suggest nothing for it.
                    let hint =
                        switch name {
                        case .whole: ""
                        case .prefix(let prefix): Suggestion.sentence(for: prefix, among: known)
                        }
                    throw CommandFailure(.usage, "the app '\(id)' has no such key" + hint)
                }
            } catch let error as AppStore.SeveralKeys {
                throw CommandFailure(.usage, "\(error.count) keys begin with these characters: give the whole key")
            }
            let left = try await store.keys(of: app).filter { $0.revokedAt == nil }
            for scope in [AppKey.Scope.write, .read] where !left.contains(where: { $0.scope == scope }) {
                StandardError.write(
                    "the app has no \(scope.rawValue) key left; 'tributary app add-key \(id) --scope \(scope.rawValue)' creates one"
                )
            }
        }
    }
}
