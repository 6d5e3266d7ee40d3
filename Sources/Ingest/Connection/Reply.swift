import NIOCore
import NIOHTTP1
import Time

/// A short answer that does not pass through Hummingbird: the answer to a write, or to input that is not a request.
struct Reply: Sendable {
    var status: HTTPResponseStatus
    var contentType: String
    var text: String
    /// Header fields beside those of every answer.
    var fields: [HeaderField] = []

    init(status: HTTPResponseStatus, contentType: String, text: String, fields: [HeaderField] = []) {
        self.status = status
        self.contentType = contentType
        self.text = text
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
        var buffer = allocator.buffer(capacity: 320 + text.utf8.count)
        if status == .ok {
            buffer.writeStaticString("HTTP/1.1 200 OK\r\n")
        } else {
            buffer.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        }
        buffer.writeHeader("Content-Type", contentType)
        buffer.writeStaticString("Cache-Control: no-store\r\n")
        for field in fields { buffer.writeHeader(field.name, field.value) }
        buffer.writeHeader("Content-Length", String(text.utf8.count))
        buffer.writeHeader("Date", HTTPDate.text(at: .now))
        buffer.writeHeader("Server", serverName)
        if let field { buffer.writeHeader(field.name, field.value) }
        if isLast { buffer.writeStaticString("Connection: close\r\n") }
        buffer.writeStaticString("\r\n")
        buffer.writeString(text)
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
