import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// One HTTP/1 connection of the daemon: a ``ConnectionHandler`` next to the codec, a ``WriteHandler`` for what writes, and
/// Hummingbird for the rest.
struct IngestChannel: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: Responder
    let write: WriteEndpoint
    let limits: IngestLimits
    let serverName: String
    let onRefusal: @Sendable (ProblemCode) -> Void
    /// Told +1 and −1.
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
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false,
                withErrorHandling: false,
                withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: decoder
            )
            try pipeline.addHandler(
                ConnectionHandler(limits: limits, serverName: serverName, onRefusal: onRefusal)
            )
            try pipeline.addHandler(WriteHandler(endpoint: write, serverName: serverName, logger: logger))
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
