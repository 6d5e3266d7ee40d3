import NIOCore
import NIOHTTP1
import NIOPosix
package import NIOSSL
import Synchronization

/// An HTTP server on a free port of loopback that answers as a test says, and keeps what it got.
package final class ScriptedReceiver: Sendable {
    package struct Request: Sendable {
        /// By their names in lower case.
        package var headers: [String: String] = [:]
        package var body = ""
    }

    package enum Answer: Sendable {
        case status(Int, headers: [String: String] = [:], body: String = "")
        /// Keeps the connection, and says nothing.
        case nothing
        /// Ends the connection without an answer.
        case end
    }

    private let requestsInOrder = Mutex<[Request]>([])
    private let channel = Mutex<(any Channel)?>(nil)

    private let isSecure: Bool

    private init(isSecure: Bool) { self.isSecure = isSecure }

    /// In the order in which they came.
    package var requests: [Request] { requestsInOrder.withLock { $0 } }
    package var url: String {
        "\(isSecure ? "https" : "http")://127.0.0.1:\(channel.withLock { $0?.localAddress?.port } ?? 0)/hook"
    }

    /// Runs `body` while the server listens.
    ///
    /// - Parameter tls: nil: plain HTTP.
    package static func run<R>(
        tls: NIOSSLContext? = nil,
        answering answer: @escaping @Sendable (Request) -> Answer = { _ in .status(204) },
        _ body: (ScriptedReceiver) async throws -> R
    ) async throws -> R {
        let receiver = ScriptedReceiver(isSecure: tls != nil)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(
                        Handler { request in
                            receiver.requestsInOrder.withLock { $0.append(request) }
                            return answer(request)
                        }
                    )
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        receiver.channel.withLock { $0 = channel }
        do {
            let result = try await body(receiver)
            try? await channel.close()
            return result
        } catch {
            try? await channel.close()
            throw error
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let answer: (Request) -> Answer
        private var request = Request()
        /// Read as text when it is whole: a part may end within a character.
        private var body = ByteBuffer()

        init(_ answer: @escaping (Request) -> Answer) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                request = Request()
                body.clear()
                for (name, value) in head.headers { request.headers[name.lowercased()] = value }
            case .body(var part):
                body.writeBuffer(&part)
            case .end:
                request.body = String(buffer: body)
                respond(answer(request), context)
            }
        }

        private func respond(_ answer: Answer, _ context: ChannelHandlerContext) {
            switch answer {
            case .nothing: break
            case .end: context.close(promise: nil)
            case .status(let code, let fields, let body):
                var head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: code))
                for (name, value) in fields { head.headers.add(name: name, value: value) }
                if code != 204 { head.headers.add(name: "content-length", value: "\(body.utf8.count)") }
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
