import CoreMetrics
import Events
import Logging
import Synchronization

/// The metrics of the HTTP layer. A series is made at its first use and kept.
final class IngestMetrics: Sendable {
    private struct RequestKey: Hashable {
        var route: String
        var status: Int
    }

    private struct RefusalKey: Hashable {
        var cause: Admission.Cause
        var keyPrefix: String
    }

    /// What became of a code that somebody has typed.
    enum CodeAnswer: String, CaseIterable {
        case found
        case wrong
        /// No code at all: it does not count as a guess.
        case unreadable
        /// Too many wrong ones came before it.
        case limited
    }

    private let metrics: PrometheusMetrics
    private let requests: CounterTable<RequestKey>
    private let durations: Mutex<[String: any TimerHandler]>
    private let problems: CounterTable<ProblemCode>
    private let withoutRoom: CounterTable<RefusalKey>
    private let accepted: CounterTable<StoreReceipt.Place>
    private let rejected: CounterTable<Rejection.Code>
    private let duplicates: any CounterHandler
    private let batchEvents: any RecorderHandler
    private let codes: CounterTable<CodeAnswer>
    private let connections: any MeterHandler
    private let evictedConnections: any CounterHandler
    private let inFlightBytes: any MeterHandler
    private let inFlightRequests: any MeterHandler
    private let reportsInFlight: any MeterHandler

    init(_ metrics: PrometheusMetrics) {
        self.metrics = metrics
        requests = CounterTable(
            metrics,
            "tributary_http_requests_total",
            "Requests that were answered, by route and status"
        ) { [("route", $0.route), ("status", String($0.status))] }
        durations = Mutex([:])
        problems = CounterTable(
            metrics,
            "tributary_http_problems_total",
            "Requests that were refused, by the code of the problem"
        ) { [("code", $0.rawValue)] }
        withoutRoom = CounterTable(
            metrics,
            "tributary_ingest_no_room_total",
            "Requests that were refused as overloaded, by the limit that was reached and the first characters of the key"
        ) { [("cause", $0.cause.rawValue), ("key", $0.keyPrefix)] }
        accepted = CounterTable(
            metrics,
            "tributary_ingest_events_accepted_total",
            "Events that were accepted, by where they were stored; duplicates are not among them"
        ) { [("stored", $0.rawValue)] }
        rejected = CounterTable(
            metrics,
            "tributary_ingest_events_rejected_total",
            "Events that were rejected, by the code of the rejection"
        ) { [("code", $0.rawValue)] }
        duplicates = metrics.counter("tributary_ingest_events_duplicate_total", "Events that had been stored before")
        batchEvents = metrics.histogram(
            "tributary_ingest_batch_events",
            "Events of a write request",
            buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000]
        )
        codes = CounterTable(
            metrics,
            "tributary_codes_total",
            "Codes of the page before the App Store that an app asked for, by the answer"
        ) { [("answer", $0.rawValue)] }
        connections = metrics.gauge("tributary_http_connections", "Open connections")
        evictedConnections = metrics.counter(
            "tributary_http_connections_evicted_total",
            "Connections without a key that were closed because all places were taken"
        )
        inFlightBytes = metrics.gauge(
            "tributary_ingest_in_flight_bytes",
            "Bytes of bodies that are being read, decoded or stored"
        )
        inFlightRequests = metrics.gauge(
            "tributary_ingest_in_flight_requests",
            "Write requests that are being read, decoded or stored"
        )
        reportsInFlight = metrics.gauge("tributary_reports_in_flight", "Reports that are being made")
        // Present from the start, so that a rate over them begins at 0.
        for place in [StoreReceipt.Place.database, .spool] { accepted.increment(place, by: 0) }
        for code in Rejection.Code.allCases { rejected.increment(code, by: 0) }
        for code in ProblemCode.allCases { problems.increment(code, by: 0) }
        for answer in CodeAnswer.allCases { codes.increment(answer, by: 0) }
        for cause in Admission.Cause.allCases { withoutRoom.increment(RefusalKey(cause: cause, keyPrefix: ""), by: 0) }
    }

    /// Counts an answer and logs it.
    ///
    /// - Parameter route: the pattern of the route; nil if no route has the path.
    func answered(
        route: String?,
        status: Int,
        problem: ProblemCode?,
        after duration: Duration,
        requestID: String,
        logger: Logger
    ) {
        let route = route ?? "none"
        logger.debug(
            "answered a request",
            metadata: [
                "hb.request.id": "\(requestID)",
                "route": "\(route)",
                "status": "\(status)",
                "problem": "\(problem?.rawValue ?? "")",
                "microseconds": "\(duration / .microseconds(1))",
            ]
        )
        requests.increment(RequestKey(route: route, status: status), by: 1)
        if let problem { problems.increment(problem, by: 1) }
        let timer = durations.withLock { durations in
            if let timer = durations[route] { return timer }
            let timer = metrics.histogram(
                "tributary_http_request_duration_seconds",
                "Time from a request's head to its answer, by route",
                [("route", route)]
            )
            durations[route] = timer
            return timer
        }
        timer.record(duration)
    }

    /// Counts a refusal of input that is not a request, so it has neither route nor duration.
    func refusedInput(_ code: ProblemCode) {
        requests.increment(RequestKey(route: "none", status: code.status), by: 1)
        problems.increment(code, by: 1)
    }

    func decoded(events: Int, rejections: [Rejection]) {
        batchEvents.record(Int64(events + rejections.count))
        for rejection in rejections { rejected.increment(rejection.code, by: 1) }
    }

    func stored(accepted count: Int, duplicates duplicateCount: Int, refused: [Rejection], in place: StoreReceipt.Place)
    {
        accepted.increment(place, by: count)
        duplicates.increment(by: Int64(duplicateCount))
        for rejection in refused { rejected.increment(rejection.code, by: 1) }
    }

    func asked(_ answer: CodeAnswer) {
        codes.increment(answer, by: 1)
    }

    func connectionsChanged(by change: Int) {
        connections.increment(by: Double(change))
    }

    func evictedConnection() {
        evictedConnections.increment(by: 1)
    }

    /// Counts a refusal for lack of room. The answer is counted besides.
    func refused(for cause: Admission.Cause, of principal: Principal) {
        withoutRoom.increment(RefusalKey(cause: cause, keyPrefix: principal.keyPrefix), by: 1)
    }

    func inFlight(_ usage: Admission.Usage) {
        inFlightRequests.set(Int64(usage.requests))
        inFlightBytes.set(Int64(usage.bytes))
    }

    func reportsInFlight(_ count: Int) {
        reportsInFlight.set(Int64(count))
    }
}
