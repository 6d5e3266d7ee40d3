import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// One HTTP/1 connection of the daemon: a ``TargetEscaper`` and a ``ConnectionHandler`` around the codec, a
/// ``DirectHandler`` for requests that write and for visitors of short links, and Hummingbird for the others.
struct IngestChannel: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: Responder
    let write: WriteEndpoint
    let redirects: RedirectEndpoint
    let limits: IngestLimits
    let connections: OpenConnections
    let serverName: String
    let onRefusal: @Sendable (ProblemCode) -> Void
    /// Called with +1 when a connection opens, and with −1 when it closes.
    let onConnection: @Sendable (_ change: Int) -> Void

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        onConnection(1)
        channel.closeFuture.whenComplete { [onConnection] _ in onConnection(-1) }
        return channel.eventLoop.makeCompletedFuture {
            var decoder = NIOHTTPDecoderLimitConfiguration()
            decoder.maxHeaderFieldSize = limits.headerFieldBytes
            decoder.maxHeaderListSize = limits.headerBytes
            decoder.maxHeaderFieldCount = limits.headerFields
            let pipeline = channel.pipeline.syncOperations
            let codec = RequestCodec(limits: decoder)
            try pipeline.addHandlers(HTTPResponseEncoder(), codec.decoder)
            // A small request arrives in one piece, whatever the size of the requests before it.
            try channel.syncOptions?.setOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 2048, initial: 2048, maximum: 65536)
            )
            let escaper = TargetEscaper()
            try pipeline.addHandler(escaper, position: .first)
            let client = ClientPresence()
            let connection = ConnectionHandler(
                limits: limits,
                serverName: serverName,
                codec: codec,
                escaper: escaper,
                client: client,
                onRefusal: onRefusal
            )
            try pipeline.addHandler(connection)
            let id = ObjectIdentifier(channel)
            let direct = DirectHandler(
                endpoint: write,
                redirects: redirects,
                connection: connection,
                onKey: { [connections] in connections.keep(id) },
                logger: logger
            )
            try pipeline.addHandler(direct)
            let handler = NIOLoopBound(connection, eventLoop: channel.eventLoop)
            connections.add(id, of: client) { [connections] in
                handler.eventLoop.execute { if !handler.value.makeRoom() { connections.makeRoom() } }
            }
            channel.closeFuture.whenComplete { [connections] _ in connections.remove(id) }
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel,
                configuration: .init(isOutboundHalfClosureEnabled: true)
            )
        }
    }

    func handle(value: Value, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }
}
