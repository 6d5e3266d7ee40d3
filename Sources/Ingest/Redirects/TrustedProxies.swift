package import Addresses
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1

/// The proxies whose headers say who asked, and for which host. Anyone else could write anything there.
package struct TrustedProxies: Equatable, Sendable {
    private let networks: [IPAddress.Network]

    package init(_ networks: [IPAddress.Network]) {
        self.networks = networks
    }

    /// A proxy on the same machine.
    package static let loopback = TrustedProxies(["127.0.0.0/8", "::1"].compactMap(IPAddress.Network.init))

    /// What a request says of its way.
    struct Origin {
        /// As the header has it; nil if there is none.
        var host: String?
        /// Nil if it is unknown.
        var visitor: IPAddress?
        /// Whether a proxy that is trusted passed the request on.
        var isProxied = false
    }

    /// - Parameter peer: where the connection comes from.
    func origin(of head: HTTPRequestHead, from peer: IPAddress?) -> Origin {
        let host = head.headers.first(name: "host")
        guard let peer, trusts(peer) else { return Origin(host: host, visitor: peer) }
        return Origin(
            host: head.headers[canonicalForm: "x-forwarded-host"].first.map(String.init) ?? host,
            visitor: visitor(forwarded: head.headers[canonicalForm: "x-forwarded-for"], by: peer),
            isProxied: true
        )
    }

    /// Who sent a request of Hummingbird's; nil if it is unknown.
    func visitor(of headers: HTTPFields, from peer: IPAddress?) -> IPAddress? {
        guard let peer, trusts(peer), let name = HTTPField.Name("X-Forwarded-For") else { return peer?.visitor }
        return visitor(forwarded: headers[values: name].flatMap { $0.split(separator: ",") }, by: peer).visitor
    }

    /// Who asks for a page.
    func sender(of request: Request, from peer: IPAddress?) -> PageSender {
        PageSender(address: visitor(of: request.headers, from: peer), isProxied: peer.map(trusts) ?? false)
    }

    /// Each proxy appends the address that it got the request from. The last one that is no proxy is the visitor.
    private func visitor(forwarded way: [some StringProtocol], by peer: IPAddress) -> IPAddress {
        var visitor = peer
        for text in way.reversed() {
            guard let address = IPAddress(text) else { break }
            visitor = address
            if !trusts(address) { break }
        }
        return visitor
    }

    private func trusts(_ address: IPAddress) -> Bool {
        networks.contains { $0.contains(address) }
    }
}
