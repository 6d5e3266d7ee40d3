import Delivery
import NIOCore
import NIOPosix
import NIOSSL

/// Gives mails to a server, each on a connection of its own.
struct SMTPClient: Sendable {
    let server: SMTPServer
    /// The time that a mail may take.
    var patience: Duration = .seconds(60)
    /// Whose certificates are trusted; tests have one of their own.
    var trustRoots = NIOSSLTrustRoots.default

    /// - Throws: ``MailFailure`` if the server is not there, refuses, or takes too long.
    func send(_ message: MailMessage) async throws(MailFailure) {
        do {
            let tls = try server.security == .off ? nil : context()
            let (channel, ended) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(TimeAmount(min(patience, .seconds(20))))
                .connect(host: server.host, port: server.port) { [self] channel in
                    channel.eventLoop.makeCompletedFuture {
                        let secure: SMTPHandler.Securing? = tls.map { tls in
                            {
                                try $0.addHandler(
                                    NIOSSLClientHandler(context: tls, serverHostname: hostname),
                                    position: .first
                                )
                            }
                        }
                        if server.security == .implicit { try secure?(channel.pipeline.syncOperations) }
                        let conversation = SMTPConversation(with: server, sending: message)
                        let handler = SMTPHandler(conversation, securing: secure, TimeAmount(patience), on: channel)
                        try channel.pipeline.syncOperations.addHandler(handler)
                        return (channel, handler.ended)
                    }
                }
            try await withTaskCancellationHandler {
                try await ended.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch let failure as MailFailure {
            throw failure
        } catch {
            throw MailFailure("the mail server \(server.host):\(server.port): \(words(error))")
        }
    }

    private func context() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.trustRoots = trustRoots
        return try NIOSSLContext(configuration: configuration)
    }

    /// TLS names no addresses; a certificate may.
    private var hostname: String? {
        (try? SocketAddress(ipAddress: server.host, port: 0)) == nil ? server.host : nil
    }

    private func words(_ error: any Error) -> String {
        let error = (error as? NIOConnectionError)?.connectionErrors.first?.error ?? error
        if case ChannelError.connectTimeout = error { return "no connection in time" }
        return FailureWords.words(for: error, isSent: true, timeLimit: patience)
    }
}

/// Has a conversation on a channel, and closes it.
private final class SMTPHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How much may come without an end of a line, in bytes.
    private static let lineLimit = 8 << 10

    typealias Securing = (ChannelPipeline.SynchronousOperations) throws -> Void

    private var conversation: SMTPConversation
    private let securing: Securing?
    private let promise: EventLoopPromise<Void>
    private var received = ByteBuffer()
    private var isDone = false

    init(_ conversation: SMTPConversation, securing: Securing?, _ patience: TimeAmount, on channel: any Channel) {
        (self.conversation, self.securing) = (conversation, securing)
        promise = channel.eventLoop.makePromise()
        let deadline = channel.eventLoop.scheduleTask(in: patience) { [promise] in
            promise.fail(MailFailure("the mail server took longer than \(Double(patience.nanoseconds) / 1e9) s"))
            channel.close(promise: nil)
        }
        promise.futureResult.whenComplete { _ in deadline.cancel() }
    }

    /// When the server has taken the mail.
    var ended: EventLoopFuture<Void> { promise.futureResult }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.writeImmutableBuffer(unwrapInboundIn(data))
        do {
            while !isDone, let length = received.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
                let line = received.readString(length: length - received.readerIndex) ?? ""
                received.moveReaderIndex(forwardBy: 1)
                try act(on: conversation.received(line.hasSuffix("\r") ? String(line.dropLast()) : line), context)
            }
            guard received.readableBytes <= Self.lineLimit else {
                throw MailFailure("the mail server does not speak SMTP")
            }
        } catch {
            end(context, .failure(error))
        }
    }

    private func act(on action: SMTPConversation.Action, _ context: ChannelHandlerContext) throws {
        switch action {
        case .wait: break
        case .send(let line): send(line, context)
        case .secure(let line):
            // What came before TLS is not the server's word.
            guard received.readableBytes == 0 else { throw MailFailure("the mail server spoke before TLS began") }
            try securing?(context.pipeline.syncOperations)
            send(line, context)
        case .end:
            send("QUIT", context)
            end(context, .success(()))
        }
    }

    private func send(_ line: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: line + "\r\n")), promise: nil)
    }

    private func end(_ context: ChannelHandlerContext, _ result: Result<Void, any Error>) {
        isDone = true
        promise.completeWith(result)
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(context, .failure(error))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        promise.fail(MailFailure("the mail server ended the connection at \(conversation.place)"))
    }
}
