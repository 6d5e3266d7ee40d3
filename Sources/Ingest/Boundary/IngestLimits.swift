/// What the HTTP layer takes, and how long it waits. Every limit is on by default, save the rate of requests.
package struct IngestLimits: Equatable, Sendable {
    /// Bytes of a request's body as sent (docs/events.md, *Limits*). More: 413.
    package var bodyBytes = 8 << 20
    /// Bytes of a body once decompressed. Inflating stops here: 413.
    package var inflatedBodyBytes = 32 << 20

    /// Bytes of bodies, sent and inflated, that are being read, decoded or stored. Full: 503 at once.
    package var bytesInFlight = 64 << 20
    /// Write requests that are being read, decoded or stored. Full: 503 at once.
    package var requestsInFlight = 1_024
    /// Reports that run at one time. Full: 503 at once.
    package var reportsInFlight = 4
    /// What a sender is told to wait when something is full, in whole seconds.
    package var retryAfter: Duration = .seconds(1)

    /// How long the sink may take: then 503, `timed_out`.
    package var storeDeadline: Duration = .seconds(10)
    /// How long a report may take: then 503, `timed_out`.
    package var reportDeadline: Duration = .seconds(60)
    /// From a request's head to the last byte of its body: then 408.
    package var requestReadTimeout: Duration = .seconds(30)
    /// How long an answer may wait for a sender that does not read: then the connection is closed.
    package var responseWriteTimeout: Duration = .seconds(120)
    /// How long a connection may lie idle, or take over a request's head, until it is closed. Above the 60 s after which
    /// usual load balancers give a connection up, so that they never send into one that is being closed.
    package var idleTimeout: Duration = .seconds(75)

    /// Open connections. Beyond it new ones wait in the listen queue. Never more than the process may have open files,
    /// less some for everything else: a server that cannot accept any more for want of them would stop.
    package var connections = 4_096
    /// Bytes of the request line's target. More: 414.
    package var targetBytes = 8 << 10
    /// Bytes of one header field. More: 431.
    package var headerFieldBytes = 16 << 10
    /// Bytes of all header fields, with the target. More: 431.
    package var headerBytes = 32 << 10
    /// Number of header fields. More: 431.
    package var headerFields = 100

    /// Requests of one key; nil: any number.
    package var rateLimit: RateLimit?

    package init() {}
}
