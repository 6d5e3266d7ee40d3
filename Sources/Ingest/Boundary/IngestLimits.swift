import Events

/// How much the HTTP layer accepts, and how long it waits. Every limit is on by default, except the rate of
/// requests of a key.
package struct IngestLimits: Equatable, Sendable {
    /// Bytes of a request's body as sent (docs/events.md, *Limits*). More: 413.
    package var bodyBytes = 8 << 20
    /// Bytes of a body once decompressed. Inflating stops here: 413.
    package var inflatedBodyBytes = 32 << 20
    /// The same two with a key for apps. The kits send 500,000 bytes at most.
    package var appBodyBytes = 512 << 10

    /// Bytes of bodies, sent and inflated, that are being read, decoded or stored. More: 503 immediately.
    package var bytesInFlight = 64 << 20
    /// Write requests that are being read, decoded or stored. More: 503 immediately.
    package var requestsInFlight = 4_096
    /// Reports that run or wait for a place at the same time, half of them of one app. More: 503 immediately.
    package var reportsInFlight = 8
    /// Questions about single people and clicks, and requests about links, that are answered at the same time. More:
    /// 503 immediately.
    package var answersInFlight = 1_024
    /// The `Retry-After` of these answers, in whole seconds.
    package var retryAfter: Duration = .seconds(1)

    /// How long the sink may take: then 503, `timed_out`.
    package var storeDeadline: Duration = .seconds(10)
    /// How long a report may take: then 503, `timed_out`.
    package var reportDeadline: Duration = .seconds(60)
    /// How long a request's head may take to arrive, from its first byte, and then its body: then 408.
    package var requestReadTimeout: Duration = .seconds(30)
    /// How long an answer may wait for a sender that does not read: then the connection is closed.
    package var responseWriteTimeout: Duration = .seconds(120)
    /// How long a connection may be idle before it is closed. Longer than the 60 s of common load balancers, so that
    /// they never use a connection that the daemon is closing.
    package var idleTimeout: Duration = .seconds(75)

    /// Open connections. When all places are taken, the oldest connection without a key closes; if all have keys,
    /// further ones wait in the listen queue. The daemon lowers this to its limit of open files, less some for other
    /// uses: a server without a free file descriptor could not accept any connection.
    package var connections = 4_096
    /// Bytes of the request line's target. More: 414.
    package var targetBytes = 8 << 10
    /// Bytes of one header field. More: 431.
    package var headerFieldBytes = 16 << 10
    /// Bytes of all header fields, with the target. More: 431.
    package var headerBytes = 32 << 10
    /// Number of header fields. More: 431.
    package var headerFields = 100

    /// The rate of requests of one key; nil: no limit.
    package var rateLimit: RateLimit?
    /// The rate of requests for short links from one address; nil: no limit. Default: 50 a second.
    package var visitorRateLimit: RateLimit? = RateLimit(requestsPerSecond: 50)
    /// The rate of requests with keys for apps from one address, for each app; nil: no limit. Default: 50 a second.
    package var appKeyRateLimit: RateLimit? = RateLimit(requestsPerSecond: 50)
    /// The rate of events with keys for apps from one address, for each app; nil: no limit. Its burst is a batch at
    /// least.
    package var appKeyEventLimit: RateLimit? = RateLimit(requestsPerSecond: 20, burst: EventLimits.appBatchCount)
    /// The rate of events of one device with keys for apps. Its burst is a batch at least.
    package var deviceRateLimit = RateLimit(requestsPerSecond: 2, burst: 200)

    package init() {}

    /// The limits for the holder of a key.
    func limits(for scope: KeyScope) -> IngestLimits {
        guard scope == .app else { return self }
        var limits = self
        limits.bodyBytes = min(bodyBytes, appBodyBytes)
        limits.inflatedBodyBytes = min(inflatedBodyBytes, appBodyBytes)
        return limits
    }
}
