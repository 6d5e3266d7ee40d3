extension IPAddress {
    /// Whether the address belongs to a host of the public internet: no loopback, private, shared (RFC 6598),
    /// link-local, multicast, reserved or unspecified address, and no form of IPv6 that carries an IPv4 address
    /// elsewhere (6to4, Teredo, NAT64).
    package var isPublic: Bool {
        guard isIPv4 || Self.globalUnicast.contains(where: { $0.contains(self) }) else { return false }
        return !Self.special.contains { $0.contains(self) }
    }

    /// Everything else in IPv6 is special, or not assigned.
    private static let globalUnicast = networks("2000::/3")

    /// The registries of special addresses, of IANA (RFC 6890).
    private static let special = networks(
        """
        0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
        192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
        2001::/23 2001:db8::/32 2002::/16 3fff::/20
        """
    )

    private static func networks(_ texts: String) -> [Network] {
        texts.split(whereSeparator: \.isWhitespace).compactMap { Network($0) }
    }
}
