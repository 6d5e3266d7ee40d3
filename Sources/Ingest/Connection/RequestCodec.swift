import NIOCore
import NIOHTTP1

/// The decoder of a connection's requests.
///
/// SwiftNIO's decoder stops after a request that offers another protocol, such as `Upgrade: h2c` of Java's client. The
/// daemon takes no such offer (RFC 9110 section 7.8), so another decoder goes on with the bytes that follow.
final class RequestCodec {
    private let limits: NIOHTTPDecoderLimitConfiguration
    private(set) var decoder: ByteToMessageHandler<HTTPRequestDecoder>

    init(limits: NIOHTTPDecoderLimitConfiguration) {
        self.limits = limits
        decoder = Self.makeDecoder(limits)
    }

    private static func makeDecoder(
        _ limits: NIOHTTPDecoderLimitConfiguration
    ) -> ByteToMessageHandler<HTTPRequestDecoder> {
        ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits))
    }

    /// Replaces the decoder. Call it at the end of a request after which the decoder has stopped.
    ///
    /// - Returns: completes when the former decoder has handed the bytes that it holds to the new one, and is gone.
    func renew(in pipeline: ChannelPipeline) -> EventLoopFuture<Void> {
        let former = decoder
        decoder = Self.makeDecoder(limits)
        let end = pipeline.eventLoop.makePromise(of: Void.self)
        do {
            try pipeline.syncOperations.addHandler(decoder, position: .after(former))
            pipeline.syncOperations.removeHandler(former, promise: end)
        } catch {
            end.fail(error)
        }
        return end.futureResult
    }
}
