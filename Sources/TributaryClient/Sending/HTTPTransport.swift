import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// `POST /v1/events` (docs/events.md, *Requests*).
struct HTTPTransport: EventTransport {
    private struct Answer: Decodable {
        struct Rejected: Decodable {
            var index: Int
            var code: String
            var message: String
        }
        var rejected: [Rejected]?
        /// The code and the detail of a problem document.
        var code: String?
        var detail: String?
    }

    /// The longest answer, in bytes. Answers are short: about a line for each rejected event.
    private static let answerLimit = 4 << 20

    let client: HTTPClient
    let url: String
    let writeKey: String
    let timeout: Duration

    func send(_ batch: [EncodedEvent], at time: Date) async -> Delivery {
        // The HTTP client ends the program with such a port.
        guard URLComponents(string: url)?.port.map({ (1...65_535).contains($0) }) != false else {
            return .failed("the port of '\(url)' must be from 1 to 65535", retryAfter: nil)
        }
        var request = HTTPClientRequest(url: (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/v1/events")
        request.method = .POST
        request.headers = ["content-type": "application/json", "authorization": "Bearer \(writeKey)"]
        request.body = .bytes(Self.body(batch, at: time))
        do {
            let response = try await client.execute(request, timeout: TimeAmount(timeout))
            let body = try await response.body.collect(upTo: Self.answerLimit)
            return Self.delivery(
                status: response.status,
                retryAfter: response.headers.first(name: "retry-after"),
                body: Data(body.readableBytesView)
            )
        } catch {
            // No answer: the batch may be stored or not. If it is sent again, the event ids prevent duplicates.
            return .failed("\(error)", retryAfter: nil)
        }
    }

    static func body(_ batch: [EncodedEvent], at time: Date) -> ByteBuffer {
        var body = ByteBuffer()
        body.writeString(#"{"sent_at":"\#(time.rfc3339)","events":["#)
        for (position, event) in batch.enumerated() {
            if position > 0 { body.writeString(",") }
            body.writeBytes(event.json)
        }
        body.writeString("]}")
        return body
    }

    static func delivery(status: HTTPResponseStatus, retryAfter: String?, body: Data) -> Delivery {
        let answer = try? JSONDecoder().decode(Answer.self, from: body)
        let rejections = (answer?.rejected ?? []).map {
            Rejection(index: $0.index, code: $0.code, message: $0.message)
        }
        switch status.code {
        case 200, 202:
            return .stored(rejections)
        case 422 where !rejections.isEmpty:
            return .stored(rejections)
        case 413:
            return .tooLarge
        case 408, 429, 500...:
            let reason = answer?.code ?? "status \(status.code)"
            return .failed(reason, retryAfter: retryAfter.flatMap { Int64($0) }.map { .seconds(max(0, min($0, 3600))) })
        default:
            return .refused("\(status.code) \(answer?.code ?? status.reasonPhrase): \(answer?.detail ?? "")")
        }
    }
}
