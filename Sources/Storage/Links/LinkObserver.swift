/// Holds the links of all apps, and learns of the changes that a ``LinkStore`` makes before their sender does.
package protocol LinkObserver: Sendable {
    /// The last change that it knows; nil if it knows no links of the database.
    var revision: Int64? { get }

    /// Gets all changes after a revision that it knew, once they are committed. It may know some of them, or newer
    /// ones.
    func take(_ changes: LinkChanges, since revision: Int64)
}
