import Addresses
import Events
import Redirects
import InboundLinks
import Time
import NIOCore
import NIOHTTP1

/// `POST /v1/events`, `/v1/inbound-links` and `/v1/feed-posts`. The steps: key, room, body, events, sink, answer.
///
/// Nothing here waits, so that a request needs no task. ``DirectHandler`` calls the steps as the request arrives.
struct WriteEndpoint: Sendable {
    /// A request with a valid key and with room. Its body is being received.
    struct Admitted {
        let caller: KeyGuard.Caller
        /// Where it comes from; nil if that is unknown.
        let address: IPAddress?
        let format: BatchFormat
        var body: BodyReader
    }

    let keys: KeyGuard
    let gate: AdmissionGate
    let appKeyLimits: AppKeyLimits
    /// By the positions of their databases.
    let apps: [ServedApps]
    let deadline: Deadline
    /// Events older than this are rejected as `too_old`.
    let retention: Duration
    let limits: IngestLimits
    let metrics: IngestMetrics
    let now: @Sendable () throws(ClockFault) -> Timestamp

    /// The time of receipt.
    func time() throws(Problem) -> Timestamp {
        do {
            return try now()
        } catch {
            throw Problem(
                .clockUntrusted,
                "Events cannot be dated now: \(error.reason). Send them again later.",
                retryAfter: .seconds(10)
            )
        }
    }

    /// Reads the header fields about the body. Room for its bytes is taken as they arrive: a sender that announces a
    /// body and then is silent holds none.
    func admit(
        _ caller: KeyGuard.Caller,
        from address: IPAddress?,
        _ headers: HTTPHeaders,
        to route: Route
    ) throws(Problem) -> Admitted {
        // In this order, so that no room is taken for a request that is refused.
        let format = try BatchFormat(headers["content-type"], acceptsForm: route.impliedType != nil)
        let encoding = try ContentEncoding(headers["content-encoding"])
        let limits = limits.limits(for: caller.principal.scope)
        let announced = try announcedBytes(headers, within: limits)
        let ticket = try gate.admit(caller.principal, announcing: announced ?? 0)
        return Admitted(
            caller: caller,
            address: address,
            format: format,
            body: try BodyReader(limits: limits, encoding: encoding, ticket: ticket)
        )
    }

    /// Decodes the events of a complete body, and passes them to the sink.
    ///
    /// - Parameter end: called with the answer, on any thread; not called if this throws.
    func store(
        _ request: consuming Admitted,
        to route: Route,
        end: @escaping @Sendable (Result<Reply, Problem>) -> Void
    ) throws(Problem) {
        let caller = request.caller
        let receivedAt = try time()
        let known = apps[caller.principal.database].directory.contents
        let decoder = BatchDecoder(
            appID: caller.principal.appID,
            receivedAt: receivedAt,
            retention: retention,
            impliedType: route.impliedType,
            rules: known.rules(of: caller.principal.appID),
            sender: caller.principal.scope == .app ? .app : .server
        )
        let body = try request.body.finish()
        let batch: EventBatch
        do throws(BatchError) {
            batch = try decoder.decode(body.readableBytesView, as: request.format.mediaType)
        } catch {
            throw Problem(error)
        }
        metrics.decoded(events: batch.events.count, rejections: batch.rejections)
        try appKeyLimits.admit(batch, of: caller.principal, from: request.address)
        let links = ShortLinkJoin(known.table, appID: caller.principal.appID)
        let submission = Submission(
            appNumber: caller.principal.appNumber,
            keyPrefix: caller.principal.keyPrefix,
            receivedAt: receivedAt,
            events: batch.events.map { links.joined($0.event) },
            rejections: batch.rejections,
            rulesVersion: known.rulesVersion(of: caller.principal.appID)
        )
        let ticket = request.body.ticket
        let number = deadline.begin { end(.failure(Problem(SinkError.timedOut))) }
        apps[caller.principal.database].sink.store(submission) { [deadline, metrics] result in
            // The room is given back when the sink is done, not when the sender has its answer.
            withExtendedLifetime(ticket) {
                if deadline.end(number) { end(Self.reply(to: batch, of: caller, result, metrics)) }
            }
        }
    }

    private static func reply(
        to batch: EventBatch,
        of caller: KeyGuard.Caller,
        _ result: Result<StoreReceipt, SinkError>,
        _ metrics: IngestMetrics
    ) -> Result<Reply, Problem> {
        let receipt: StoreReceipt
        switch result {
        case .success(let success): receipt = success
        case .failure(let error): return .failure(Problem(error))
        }
        let answer = WriteAnswer(batch, receipt)
        metrics.stored(
            accepted: answer.accepted,
            duplicates: receipt.duplicates,
            refused: answer.refused,
            in: receipt.stored
        )
        guard answer.isAnyValid else {
            var problem = Problem(.noValidEvent, "No event of the batch is valid; see `rejected`.")
            problem.rejections = answer.rejections
            return .failure(problem)
        }
        return .success(
            Reply(
                status: receipt.stored == .database ? .ok : .accepted,
                contentType: "application/json",
                text: answer.document,
                fields: caller.fields
            )
        )
    }

    /// `Content-Length`; nil for a chunked body. The parser has checked that there is at most one, and that it is a
    /// number.
    private func announcedBytes(_ headers: HTTPHeaders, within limits: IngestLimits) throws(Problem) -> Int? {
        guard let value = headers.first(name: "content-length") else {
            return headers.contains(name: "transfer-encoding") ? nil : 0
        }
        guard let count = Int(value), count >= 0 else {
            throw Problem(.malformedRequest, "Content-Length must be a number.", field: "Content-Length")
        }
        guard count <= limits.bodyBytes else { throw .bodyTooLarge(limits) }
        return count
    }
}
