import Events

/// The address and the limits of the daemon's HTTP server.
package struct IngestConfiguration: Sendable {
    /// Host name or address to listen on.
    package var host = "127.0.0.1"
    /// 0: the system picks one.
    package var port = 8080

    /// As in URLs: an address of IPv6 stands in brackets.
    package func listeningAddress(port: Int) -> String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The `Server` field of answers.
    package var serverName = "tributaryd"
    /// The daemon's version, for `/healthz`.
    package var version = ""
    package var limits = IngestLimits()
    /// The proxies whose `X-Forwarded-For` and `X-Forwarded-Host` count for short links.
    package var trustedProxies = TrustedProxies.loopback
    /// The header in which a trusted proxy says a visitor's country, ISO 3166-1 alpha-2; nil: none does.
    package var countryHeader: String?
    /// Events that happened longer ago are rejected as `too_old`. Default: 400 days.
    package var retention = EventLimits.defaultRetention

    package init() {}
}
