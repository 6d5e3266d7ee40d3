import Events
import HTTPTypes
import Hummingbird
import InboundLinks

/// `POST /v1/events` and the two short ones: key, room, body, events, sink, answer.
struct WriteEndpoint: Sendable {
    let keys: KeyGuard
    let gate: AdmissionGate
    let sink: any EventSink
    let deadline: Deadline<StoreReceipt, SinkError>
    let reader: EventReader
    let limits: IngestLimits
    let metrics: IngestMetrics
    let now: @Sendable () -> Timestamp

    func respond(
        to request: Request,
        impliedType: EventType?,
        context: IngestContext
    ) async throws(Problem) -> Response {
        let (principal, fields) = try await keys.admit(request.headers, for: .write)
        // In this order, so that nothing is read that will not be used.
        let format = try BatchFormat(request.headers, acceptsForm: impliedType != nil)
        let encoding = try ContentEncoding(request.headers)
        let announced = try announcedBytes(request.headers)
        let ticket = try gate.admit(bytes: announced ?? 0)
        context.wantBody()
        let body = try await BodyReader(limits: limits, encoding: encoding, announcedBytes: announced, ticket: ticket)
            .read(request.body)

        let receivedAt = now()
        let batch = try reader.read(
            body,
            format: format,
            impliedType: impliedType,
            appID: principal.appID,
            receivedAt: receivedAt
        )
        metrics.decoded(events: batch.events.count, rejections: batch.rejections)
        let receipt = try await store(batch, of: principal, receivedAt: receivedAt, ticket: ticket)
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
            throw problem
        }
        var response = Response(
            status: receipt.stored == .database ? .ok : .accepted,
            contentType: "application/json",
            text: answer.document
        )
        response.add(fields)
        return response
    }

    private func store(
        _ batch: EventBatch,
        of principal: Principal,
        receivedAt: Timestamp,
        ticket: AdmissionTicket
    ) async throws(Problem) -> StoreReceipt {
        let admitted = AdmittedBatch(
            appNumber: principal.appNumber,
            appID: principal.appID,
            events: batch.events.map(\.event),
            rejections: batch.rejections,
            receivedAt: receivedAt,
            keyPrefix: principal.keyPrefix
        )
        do throws(SinkError) {
            return try await deadline.run { [sink] () async throws(SinkError) in
                // The place is given back when the sink is done, not when the sender has its answer.
                defer { withExtendedLifetime(ticket) {} }
                return try await sink.store(admitted)
            }
        } catch {
            throw Problem(error)
        }
    }

    /// `Content-Length`; nil for a chunked body. The parser has made sure that it is a number, and that there is one.
    private func announcedBytes(_ headers: HTTPFields) throws(Problem) -> Int? {
        guard let value = headers[.contentLength] else { return headers[.transferEncoding] == nil ? 0 : nil }
        guard let count = Int(value), count >= 0 else {
            throw Problem(.malformedRequest, "Content-Length is a number.", field: "Content-Length")
        }
        guard count <= limits.bodyBytes else { throw .bodyTooLarge(limits) }
        return count
    }
}
