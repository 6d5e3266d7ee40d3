package import Redirects
import Synchronization

/// The live links of all apps, for every request. One writer replaces them, many readers take them.
package final class LinkDirectory: Sendable {
    /// What the daemon knows of links. A value: readers keep what they took.
    package struct Contents: Sendable {
        package var table = LinkTable()
        /// The numbers of the apps, by their ids.
        package var appNumbers: [String: Int32] = [:]

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
}
