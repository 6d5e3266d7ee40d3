package import InboundLinks
package import Redirects
import Synchronization

/// The live links of all apps, for every request. One writer replaces them, many readers take them.
package final class LinkDirectory: Sendable {
    /// What the daemon knows of links. A value: readers keep what they took.
    package struct Contents: Sendable {
        package var table = LinkTable()
        /// The numbers of the apps, by their ids.
        package var appNumbers: [String: Int32] = [:]
        /// The ids of those that have moved to another database, and are served there.
        package var movedApps: Set<String> = []
        /// The rules of the apps that have or had some, by their ids, with their keys for the campaign data of Meta.
        package var rules: [String: ReadingRules] = [:]
        /// Whether links were read, from the database or from the file of an earlier run.
        package var isLoaded = false
        /// The revision of the links in the database; nil if they are those of the file.
        package var revision: Int64?
        /// When the database last told that it has no newer links; nil if it cannot be asked.
        package var confirmedAt: ContinuousClock.Instant?

        package init() {}

        /// Whether the database was asked just now. If not, a link that is missing may be new.
        var isCurrent: Bool {
            guard let confirmedAt else { return false }
            return confirmedAt.advanced(by: LinkDirectory.validity) > .now
        }

        /// The version of the app's rules; 0: it has none.
        package func rulesVersion(of appID: String) -> Int { rules[appID]?.version ?? 0 }

        /// The same by the app's number.
        package func rulesVersion(ofNumber number: Int32) -> Int {
            idOfApp(number).map(rulesVersion) ?? 0
        }

        /// The rules that the app adds for reading links.
        func rules(of appID: String) -> ReadingRules { rules[appID] ?? .none }

        /// How touches of the app that are not stored yet are read again; nil if it never had rules. An app that has
        /// none any more still has some that were read by them.
        package func rereading(ofNumber number: Int32) -> TouchRereading? {
            guard let id = idOfApp(number), let rules = rules[id] else { return nil }
            return TouchRereading(rules: rules, links: ShortLinkJoin(table, appID: id))
        }

        /// Nil for unknown apps, and if no app has rules.
        private func idOfApp(_ number: Int32) -> String? {
            rules.isEmpty ? nil : appNumbers.first { $0.value == number }?.key
        }
    }

    /// The daemon asks three times a second. If it gets no answer for so long, the database hangs.
    fileprivate static let validity: Duration = .seconds(2)

    private let state = Mutex(Contents())

    package init() {}

    package var contents: Contents { state.withLock { $0 } }

    package var table: LinkTable { contents.table }

    /// Puts new links in the place of the old ones.
    package func replace(with contents: Contents) {
        state.withLock { $0 = contents }
    }

    /// Notes when the database was asked whether the links are its own, and said yes; nil: it does not answer.
    package func confirm(at time: ContinuousClock.Instant?) {
        state.withLock { $0.confirmedAt = time }
    }
}
