import NIOCore
import NIOPosix

/// A sender that sends bytes of its own choice, not through an HTTP client.
struct RawConnection {
    enum Step: Sendable {
        case send(String)
        case sendBytes([UInt8])
        /// Waits until the text has arrived.
        case expect(String)
        /// Waits for something else.
        case wait(@Sendable () async throws -> Void)
        /// Closes our side.
        case closeOutput
    }

    /// Does the steps, then reads until the server closes. It is not an error if the server closes before everything is
    /// sent.
    static func run(_ steps: [Step], port: Int) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true)
                    )
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var received = ByteBuffer()
            var pieces = inbound.makeAsyncIterator()
            for step in steps {
                switch step {
                case .send(let text):
                    try? await outbound.write(ByteBuffer(string: text))
                case .sendBytes(let bytes):
                    try? await outbound.write(ByteBuffer(bytes: bytes))
                case .expect(let text):
                    while !String(buffer: received).contains(text), let piece = try? await pieces.next() {
                        received.writeImmutableBuffer(piece)
                    }
                case .wait(let action):
                    try await action()
                case .closeOutput:
                    outbound.finish()
                }
            }
            while let piece = try? await pieces.next() { received.writeImmutableBuffer(piece) }
            return String(buffer: received)
        }
    }

    /// The status codes of the responses in a text.
    static func statuses(_ text: String) -> [Int] {
        text.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false).dropFirst()
            .compactMap { Int($0.prefix(3)) }
    }
}
