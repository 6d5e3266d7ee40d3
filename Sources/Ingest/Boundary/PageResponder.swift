package import Addresses
package import HummingbirdCore

/// Answers the paths of pages for people: every path that the API does not have.
package protocol PageResponder: Sendable {
    /// - Returns: nil if there is no such page: 404.
    func respond(to request: Request, from sender: PageSender) async -> Response?

    /// Where the API has what a program asks a page for; nil if the request is answered as it is. A program that knows
    /// only the page then learns what its key lacks, as at the API.
    func programPath(of request: Request) -> String?
}

/// Where a request for a page comes from.
package struct PageSender: Equatable, Sendable {
    /// An address of IPv6 stands for its network. Nil if it is unknown.
    package var address: IPAddress?
    /// Whether one of ``TrustedProxies`` passed the request on, so that its headers can be believed.
    package var isProxied: Bool

    package init(address: IPAddress? = nil, isProxied: Bool = false) {
        self.address = address
        self.isProxied = isProxied
    }
}
