import InboundLinks
import NIOCore
import NIOHTTP1

/// A short answer that does not pass through Hummingbird: to a write, and to what never becomes a request.
struct Reply: Sendable {
    var status: HTTPResponseStatus
    var contentType: String
    var text: String
    /// Beside those that every answer has.
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

    /// Writes all of it.
    ///
    /// - Parameter promise: told when its end has been taken.
    func write(
        to context: ChannelHandlerContext,
        serverName: String,
        adding field: HeaderField,
        promise: EventLoopPromise<Void>? = nil
    ) {
        var head = head(serverName: serverName)
        head.headers.add(name: field.name, value: field.value)
        context.write(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
        context.write(NIOAny(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        context.writeAndFlush(NIOAny(HTTPServerResponsePart.end(nil)), promise: promise)
    }

    private func head(serverName: String) -> HTTPResponseHead {
        var headers = HTTPHeaders()
        headers.reserveCapacity(fields.count + 7)
        headers.add(name: "Content-Type", value: contentType)
        headers.add(name: "Cache-Control", value: "no-store")
        for field in fields { headers.add(name: field.name, value: field.value) }
        headers.add(name: "Content-Length", value: String(text.utf8.count))
        headers.add(name: "Date", value: HTTPDate.text(at: .now))
        headers.add(name: "Server", value: serverName)
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }
}
