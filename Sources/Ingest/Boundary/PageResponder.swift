package import HummingbirdCore

/// Answers the paths that are pages for people: all that the API does not know.
package protocol PageResponder: Sendable {
    /// - Returns: nil where there is no such page: 404.
    func respond(to request: Request) async -> Response?
}
