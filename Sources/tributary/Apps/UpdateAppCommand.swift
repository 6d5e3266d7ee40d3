import ArgumentParser
import Storage

struct UpdateAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change an app's name and the settings of its links.",
        discussion: """
            What is not given stays. An empty value removes a setting. An option that may be repeated replaces the \
            whole list. Daemons serve links by the new settings within a second.

              tributary app update shop --link-host go.example.com
              tributary app update shop --ipad-store-id '' --name 'My Shop'
            """
    )

    @OptionGroup var app: NamedApp

    @Option(help: "The app's name, as people see it.")
    var name: String?

    @OptionGroup var links: LinkSettingOptions

    @OptionGroup var format: RecordFormat

    func run() async throws {
        if let name { try CreateAppCommand.check(name: name) }
        let (name, links) = (name, links)
        try links.checkMetaReferrerKey()
        let updated = try await app.database.withPool { pool in
            let store = AppStore(pool: pool)
            var updated = try await store.update(store.app(id: app.id)) { profile in
                let before = profile
                if let name { profile.name = name }
                try links.apply(to: &profile)
                if profile == before, links.metaReferrerKey == nil {
                    StandardError.write("nothing changes: the app has these settings already")
                }
            }
            try await links.setMetaReferrerKey(ofApp: app.id, pool)
            if let key = links.metaReferrerKey { updated.profile.hasMetaReferrerKey = !key.isEmpty }
            try await links.warn(of: updated.profile.linkApp, pool)
            return updated
        }
        updated.profile.record.print(as: format.form)
    }
}
