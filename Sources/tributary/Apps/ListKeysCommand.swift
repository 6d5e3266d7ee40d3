import ArgumentParser
import InboundLinks
import Time
import Storage

struct ListKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List an app's keys by their first characters; the keys themselves are not stored."
    )

    @OptionGroup var app: NamedApp

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let keys = try await app.withStore(readsOnly: true) { try await $0.keys(of: $1) }
        Record.print(
            keys.map { key in
                Record([
                    ("prefix", .string(key.prefix + "…")), ("scope", .string(key.scope.rawValue)),
                    ("state", .string(state(of: key))),
                    ("label", .string(key.label)), ("created_at", time(key.createdAt)),
                    ("expires_at", time(key.expiresAt)), ("revoked_at", time(key.revokedAt)),
                    ("last_used_at", time(key.lastUsedAt)), ("origins", .list(key.origins)),
                ])
            },
            as: format.form
        )
    }

    private func state(of key: AppKey) -> String {
        if key.revokedAt != nil { return "revoked" }
        return key.expiresAt.map { $0 <= Timestamp.now.microseconds } ?? false ? "expired" : "valid"
    }

    private func time(_ microseconds: Int64?) -> InspectionValue {
        .optional(microseconds.map { Timestamp(microseconds: $0).rfc3339 })
    }
}
