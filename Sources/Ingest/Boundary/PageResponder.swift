package import HummingbirdCore

/// Answers the paths of pages for people: every path that the API does not have.
package protocol PageResponder: Sendable {
    /// - Returns: nil if there is no such page: 404.
    func respond(to request: Request) async -> Response?

    /// Where the API has what a program asks a page for; nil if the request is answered as it is. A program that knows
    /// only the page then learns what its key lacks, as at the API.
    func programPath(of request: Request) -> String?
}
