package import HummingbirdCore

/// Answers the paths of pages for people: every path that the API does not have.
package protocol PageResponder: Sendable {
    /// - Returns: nil if there is no such page: 404.
    func respond(to request: Request) async -> Response?
}
