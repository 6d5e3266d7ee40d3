import Foundation
package import NIOCore

/// An IPv4 or IPv6 address. An IPv4 address equals its form in IPv6 (RFC 4291 section 2.5.5.2).
package struct IPAddress: Hashable, Sendable {
    /// The 128 bits of IPv6.
    package let high: UInt64
    package let low: UInt64

    /// Nil for other kinds of sockets.
    package init?(_ address: SocketAddress) {
        // By its bytes: each request asks for it. In `sockaddr_in` the address follows the family and the port, in
        // `sockaddr_in6` also the flow. Which module has the members of these types depends on the kind of build.
        switch address {
        case .v4(let address):
            let number = withUnsafeBytes(of: address.address) { $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self) }
            self.init(ipv4: UInt32(bigEndian: number))
        case .v6(let address):
            let numbers = withUnsafeBytes(of: address.address) { bytes in
                (
                    high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                    low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
                )
            }
            self.init(high: numbers.high, low: numbers.low)
        case .unixDomainSocket: return nil
        }
    }

    /// An address as `X-Forwarded-For` has it: maybe with a port, or in brackets. Nil for any other text.
    package init?(_ text: some StringProtocol) {
        var text = Substring(text).drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        if text.first == "[" {
            text = text.dropFirst().prefix { $0 != "]" }
        } else if text.contains("."), let colon = text.firstIndex(of: ":"), !text.hasPrefix(":"),
            text.lastIndex(of: ":") == colon
        {
            text = text[..<colon]
        }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, String(text), &bytes) == 1 {
            self.init(high: Self.number(bytes[0..<8]), low: Self.number(bytes[8..<16]))
        } else if inet_pton(AF_INET, String(text), &bytes) == 1 {
            self.init(ipv4: UInt32(truncatingIfNeeded: Self.number(bytes[0..<4])))
        } else {
            return nil
        }
    }

    private init(ipv4: UInt32) {
        self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(ipv4))
    }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Whether it is the form of an IPv4 address.
    package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// What stands for one visitor: an IPv4 address, or the network of an IPv6 address, because a household has a whole
    /// one (RFC 6177).
    package var visitor: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

    /// What stands for one customer of a provider: an IPv4 address, or the largest network of IPv6 that one usually
    /// gets (RFC 6177).
    package var site: IPAddress { isIPv4 ? self : IPAddress(high: high & ~0xFFFF, low: 0) }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Addresses that begin with the same bits, such as `10.0.0.0/8`.
    package struct Network: Equatable, Sendable {
        private let address: IPAddress
        /// How many of the 128 bits count.
        private let bits: Int

        /// One address, or an address with the number of its bits that count (RFC 4632). Nil for any other text.
        package init?(_ text: some StringProtocol) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard let first = parts.first, let address = IPAddress(first), parts.count <= 2 else { return nil }
            let width = address.isIPv4 && !first.contains(":") ? 32 : 128
            let bits = parts.count == 2 ? Int(parts[1]) : width
            guard let bits, 0...width ~= bits else { return nil }
            self.address = address
            self.bits = bits + 128 - width
        }

        package func contains(_ other: IPAddress) -> Bool {
            func differs(_ first: UInt64, _ second: UInt64, _ bits: Int) -> Bool {
                bits > 0 && (first ^ second) >> UInt64(64 - min(bits, 64)) != 0
            }
            return !differs(address.high, other.high, bits) && !differs(address.low, other.low, bits - 64)
        }
    }
}
