import NIOCore
import NIOHTTP1
import Time

/// A short answer that does not pass through Hummingbird: to a write, to a visitor of a link, or to input that is not a
/// request.
struct Reply: Sendable {
    /// What an answer has beside its head.
    enum Body: Sendable {
        case text(String)
        case bytes([UInt8])

        var count: Int {
            switch self {
            case .text(let text): text.utf8.count
            case .bytes(let bytes): bytes.count
            }
        }
    }

    var status: HTTPResponseStatus
    /// Nil if there is no body.
    var contentType: String?
    var body: Body
    /// Whether the body is left out, because the request was a HEAD. Its length is told nevertheless.
    var omitsBody = false
    var cacheControl = "no-store"
    /// Header fields beside those of every answer.
    var fields: [HeaderField] = []

    init(status: HTTPResponseStatus, contentType: String?, text: String, fields: [HeaderField] = []) {
        self.status = status
        self.contentType = contentType
        body = .text(text)
        self.fields = fields
    }

    init(_ problem: Problem) {
        self.init(
            status: HTTPResponseStatus(statusCode: problem.code.status),
            contentType: "application/problem+json",
            text: problem.document,
            fields: problem.headerFields
        )
    }

    /// The whole answer as it is sent. One buffer needs one system call and passes the handlers once.
    func encoded(serverName: String, adding field: HeaderField?, isLast: Bool, allocator: ByteBufferAllocator)
        -> ByteBuffer
    {
        var buffer = allocator.buffer(capacity: 320 + body.count)
        if status == .ok {
            buffer.writeStaticString("HTTP/1.1 200 OK\r\n")
        } else {
            buffer.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        }
        if let contentType { buffer.writeHeader("Content-Type", contentType) }
        buffer.writeHeader("Cache-Control", cacheControl)
        for field in fields { buffer.writeHeader(field.name, field.value) }
        // RFC 9110 section 8.6: an answer with status 204 has no length.
        if status != .noContent { buffer.writeHeader("Content-Length", String(body.count)) }
        buffer.writeHeader("Date", HTTPDate.text(at: .now))
        buffer.writeHeader("Server", serverName)
        if let field { buffer.writeHeader(field.name, field.value) }
        if isLast { buffer.writeStaticString("Connection: close\r\n") }
        buffer.writeStaticString("\r\n")
        if !omitsBody {
            switch body {
            case .text(let text): buffer.writeString(text)
            case .bytes(let bytes): buffer.writeBytes(bytes)
            }
        }
        return buffer
    }
}

extension ByteBuffer {
    fileprivate mutating func writeHeader(_ name: String, _ value: String) {
        writeString(name)
        writeStaticString(": ")
        writeString(value)
        writeStaticString("\r\n")
    }
}
