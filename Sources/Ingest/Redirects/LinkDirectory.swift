package import Redirects
import Synchronization

/// The live links of all apps, for every request. One writer replaces them, many readers take them.
package final class LinkDirectory: Sendable {
    /// What the daemon knows of links. A value: readers keep what they took.
    package struct Contents: Sendable {
        package var table = LinkTable()
        /// The numbers of the apps, by their ids.
        package var appNumbers: [String: Int32] = [:]
        /// Whether links were read, from the database or from the file of an earlier run.
        package var isLoaded = false
        /// Whether the database was asked just now. If not, a link that is missing may be new.
        package var isCurrent = false

        package init() {}
    }

    private let state = Mutex(Contents())

    package init() {}

    package var contents: Contents { state.withLock { $0 } }

    package var table: LinkTable { contents.table }

    /// Puts new links in the place of the old ones.
    package func replace(with contents: Contents) {
        state.withLock { $0 = contents }
    }

    /// Notes whether the links are those of the database.
    package func mark(isCurrent: Bool) {
        state.withLock { $0.isCurrent = isCurrent }
    }
}
