import HTTPTypes
import HummingbirdCore
import NIOCore
import Synchronization

extension AnswerAdmission {
    /// A body of JSON within the limits, inflated.
    func json(
        of request: Request,
        from caller: KeyGuard.Caller,
        _ limits: IngestLimits
    ) async throws(Problem) -> (bytes: ByteBuffer, ticket: AdmissionTicket) {
        let format = try BatchFormat(request.headers[values: .contentType], acceptsForm: false)
        guard format == .json else {
            throw Problem(.unsupportedMediaType, "Content-Type must be application/json.", field: "Content-Type")
        }
        return try await body(of: request, from: caller, limits)
    }

    /// A body of CSV within the limits, inflated. A request that does not say what it has, has CSV.
    func csv(
        of request: Request,
        from caller: KeyGuard.Caller,
        _ limits: IngestLimits
    ) async throws(Problem) -> (bytes: ByteBuffer, ticket: AdmissionTicket) {
        let parts = (request.headers[.contentType] ?? "text/csv").lowercased().split(separator: ";")
            .map { $0.filter { $0 != " " && $0 != "\"" } }
        let charset = parts.first { $0.hasPrefix("charset=") } ?? "charset=utf-8"
        guard parts.first == "text/csv", charset == "charset=utf-8" else {
            throw Problem(.unsupportedMediaType, "Content-Type must be text/csv, in UTF-8.", field: "Content-Type")
        }
        return try await body(of: request, from: caller, limits)
    }

    private func body(
        of request: Request,
        from caller: KeyGuard.Caller,
        _ limits: IngestLimits
    ) async throws(Problem) -> (bytes: ByteBuffer, ticket: AdmissionTicket) {
        let encoding = try ContentEncoding(request.headers[values: .contentEncoding])
        let announced = request.headers[.contentLength].flatMap { Int($0) }
        if let announced, announced > limits.bodyBytes { throw .bodyTooLarge(limits) }
        let ticket = try gate.admit(caller.principal, announcing: announced ?? 0)
        let reading = Task { [limits, body = request.body] in
            var reader = try BodyReader(limits: limits, encoding: encoding, ticket: ticket)
            for try await piece in body { try reader.append(piece) }
            return try reader.finish()
        }
        let lostRoom = Mutex<Problem?>(nil)
        ticket.waitForBody { problem in
            lostRoom.withLock { $0 = problem }
            reading.cancel()
        }
        let result = await reading.result
        ticket.bodyIsWhole()
        if let problem = lostRoom.withLock({ $0 }) { throw problem }
        do {
            return (try result.get(), ticket)
        } catch {
            throw Problem(reading: error)
        }
    }
}
