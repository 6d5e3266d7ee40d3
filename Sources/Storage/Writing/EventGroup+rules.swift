import Events
import Postgres
import Redirects

extension EventGroup {
    /// The group with the links of some apps read by the rules that these apps have now: its events waited while the
    /// rules changed, or their receiver had not heard of the change yet.
    ///
    /// Rules that only a newer version of this program can read change nothing, as in its daemons.
    func readAgain(of apps: Set<Int32>, on connection: isolated PostgresConnection) throws -> EventGroup {
        var rereadings: [Int32: TouchRereading] = [:]
        var versions: [Int32: Int] = [:]
        for app in try LinkStore.hostedApps(on: connection) where apps.contains(app.number) {
            versions[app.number] = app.rules?.version ?? 0
            guard let rules = try? app.rules?.rules() else { continue }
            var table = LinkTable()
            table.set(app.app, hosts: app.hosts)
            for link in try links(ofApp: app.number, on: connection) { table.set(link) }
            rereadings[app.number] = TouchRereading(rules: rules, links: ShortLinkJoin(table, appID: app.app.id))
        }
        return EventGroup(
            submissions.map { submission in
                // An app that is being deleted has none: nothing of it is stored, whatever its rules.
                let version = versions[submission.appNumber]
                guard apps.contains(submission.appNumber), let read = submission.rulesVersion, read != version else {
                    return submission
                }
                var submission = submission
                submission.rulesVersion = version
                if let rereading = rereadings[submission.appNumber] {
                    submission.events = submission.events.map(rereading.read)
                }
                return submission
            }
        )
    }

    /// The live short links that touches of an app came through.
    private func links(ofApp number: Int32, on connection: isolated PostgresConnection) throws -> [Link] {
        let names = Set(
            submissions.lazy.filter { $0.appNumber == number }.flatMap(\.events).compactMap(\.touch?.shortLink)
        )
        let addresses = names.compactMap { LinkAddress(name: $0) }
        guard !addresses.isEmpty else { return [] }
        return try LinkCreation.links(at: addresses, on: connection).filter { !$0.isDeleted }.map(\.link)
    }
}
