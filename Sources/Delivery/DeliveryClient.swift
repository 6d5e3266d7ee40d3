import Addresses
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// Sends HTTPS requests outward, to URLs that users have named: webhooks, Slack.
///
/// Somebody may name a host whose address is inside of the operator's network. So the address of each connection is
/// checked, once it is connected and before a request is sent: an answer of DNS that changes in between has no effect.
/// An address that DNS gives is checked before, too, so that such a host usually sees no connection at all.
package final class DeliveryClient: Sendable {
    /// The time for a request with its answer.
    package static let timeLimit: Duration = .seconds(10)
    /// How much of an answer is read, in bytes.
    private static let answerLimit = 64 << 10
    private static let excerptLimit = 200
    /// How long an address that DNS gave counts as checked.
    private static let resolvedFor: Duration = .seconds(30)

    private let configuration: HTTPClient.Configuration
    /// Made for the first request, because one that is made must be shut down.
    private let client = Mutex<HTTPClient?>(nil)
    private let allowsPrivate: Bool
    private let userAgent: String
    private let timeLimit: Duration
    private let resolved = Mutex<[String: ContinuousClock.Instant]>([:])

    /// Call ``shutdown()`` at the end.
    ///
    /// - Parameters:
    ///   - allowsPrivate: the setting `webhook.allow.private`: addresses are not checked.
    ///   - userAgent: who sends, such as `Tributary/1.2.3`.
    package init(allowsPrivate: Bool, userAgent: String, timeLimit: Duration = DeliveryClient.timeLimit) {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // One kind of connection, with one place where its address is checked.
        configuration.httpVersion = .http1Only
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        configuration.tlsConfiguration = tls
        configuration.timeout.connect = TimeAmount(timeLimit)
        configuration.connectionPool.retryConnectionEstablishment = false
        if !allowsPrivate {
            configuration.http1_1ConnectionDebugInitializer = { Self.check($0) }
        }
        self.configuration = configuration
        self.allowsPrivate = allowsPrivate
        self.userAgent = userAgent
        self.timeLimit = timeLimit
    }

    package func shutdown() async {
        try? await client.withLock { $0.take() }?.shutdown()
    }

    private var http: HTTPClient {
        client.withLock { client in
            let http = client ?? HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            client = http
            return http
        }
    }

    /// Sends one `POST`. It is never sent twice.
    ///
    /// - Parameter headers: by name; `content-type` is `application/json` without one.
    package func post(
        _ body: [UInt8],
        headers: [(name: String, value: String)] = [],
        to destination: Destination
    ) async -> DeliveryOutcome {
        let sending = Sending()
        do {
            return try await withThrowingTaskGroup(of: DeliveryOutcome.self) { group in
                group.addTask {
                    try await self.checkName(of: destination)
                    return try await self.exchange(body, headers, destination, sending)
                }
                group.addTask { [timeLimit] in
                    try await Task.sleep(for: timeLimit)
                    throw TimeIsUp()
                }
                defer { group.cancelAll() }
                return try await group.next() ?? .unanswered(reason: "not sent")
            }
        } catch {
            return .unanswered(
                reason: FailureWords.words(for: error, isSent: sending.hasBegun, timeLimit: timeLimit)
            )
        }
    }

    /// Whether a connection has asked for the body.
    private final class Sending: Sendable {
        private let state = Mutex(false)
        var hasBegun: Bool { state.withLock { $0 } }

        /// - Returns: whether it is the first time.
        func begin() -> Bool {
            state.withLock { hasBegun in
                defer { hasBegun = true }
                return !hasBegun
            }
        }
    }

    private func exchange(
        _ body: [UInt8],
        _ headers: [(name: String, value: String)],
        _ destination: Destination,
        _ sending: Sending
    ) async throws -> DeliveryOutcome {
        var request = HTTPClientRequest(url: destination.url)
        request.method = .POST
        request.headers.add(contentsOf: headers.map { ($0.name, $0.value) })
        request.headers.replaceOrAdd(name: "user-agent", value: userAgent)
        if !request.headers.contains(name: "content-type") {
            request.headers.add(name: "content-type", value: "application/json")
        }
        let content = ByteBuffer(bytes: body)
        request.body = .stream(
            AsyncStream(unfolding: { sending.begin() ? content : nil }),
            length: .known(Int64(body.count))
        )
        let response = try await http.execute(request, timeout: TimeAmount(timeLimit))
        var answer: [UInt8] = []
        var received = 0
        for try await part in response.body {
            received += part.readableBytes
            answer += part.readableBytesView.prefix(4 * Self.excerptLimit - answer.count)
            // The rest is not wanted, and the connection ends.
            if received > Self.answerLimit { break }
        }
        let status = Int(response.status.code)
        let pause = status == 429 || status == 503 ? response.headers.first(name: "retry-after") : nil
        return .answered(
            status: status,
            excerpt: Self.excerpt(answer),
            retryAfter: pause.flatMap { RetryAfter.duration($0, now: .now) }
        )
    }

    // MARK: Addresses

    /// Refuses a connection to an address inside.
    private static func check(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard let address = channel.remoteAddress.flatMap(IPAddress.init), address.isPublic else {
            // Only after the pool has heard of it: it must not hear that a connection ended which it still makes.
            channel.eventLoop.execute { channel.close(promise: nil) }
            return channel.eventLoop.makeFailedFuture(InnerAddress())
        }
        return channel.eventLoop.makeSucceededVoidFuture()
    }

    private func checkName(of destination: Destination) async throws {
        guard !allowsPrivate else { return }
        let now = ContinuousClock.now
        if let time = resolved.withLock({ $0[destination.host] }), now - time < Self.resolvedFor { return }
        guard try await Self.isPublic(destination) else { throw InnerAddress() }
        trustName(of: destination)
    }

    func trustName(of destination: Destination) {
        resolved.withLock { resolved in
            if resolved.count > 1_000 { resolved.removeAll() }
            resolved[destination.host] = .now
        }
    }

    /// Whether the host's name leads to a public address now. For a word to the user; only the connection's address
    /// counts.
    ///
    /// - Throws: an error if there is no such name.
    package static func isPublic(_ destination: Destination) async throws -> Bool {
        try await NIOThreadPool.singleton.runIfActive {
            IPAddress(try SocketAddress.makeAddressResolvingHost(destination.host, port: destination.port))?.isPublic
                ?? false
        }
    }

    /// Without what a terminal or a page may take as an order: controls, and marks that turn the direction of text.
    private static func excerpt(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        return String(
            text.unicodeScalars.lazy.map { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: " "
                default: Character(scalar)
                }
            }.prefix(excerptLimit)
        )
    }
}
