import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Asks a daemon on this machine over plain HTTP/1.1, with one connection for each request. Follows no redirect.
struct DaemonClient: Sendable {
    struct Answer: Sendable {
        let status: HTTPResponseStatus
        let headers: HTTPHeaders
        let body: ByteBuffer
    }

    enum Failure: Error, CustomStringConvertible {
        case noAddress(URL)
        case noAnswer(within: Duration)

        var description: String {
            switch self {
            case .noAddress(let url): "\(url.absoluteString) names no host and port"
            case .noAnswer(let limit): "no whole answer within \(limit)"
            }
        }
    }

    /// A longer answer is a failure.
    private static let answerBytes = 8 << 20

    /// `http://HOST:PORT`
    let daemon: URL

    /// - Parameters:
    ///   - path: without the first slash.
    ///   - limit: for the connection, and for the whole answer.
    /// - Throws: an error of the network, or ``Failure``.
    func ask(
        _ path: String,
        method: HTTPMethod = .GET,
        headers: HTTPHeaders = [:],
        body: [UInt8] = [],
        within limit: Duration
    ) async throws -> Answer {
        guard let host = daemon.host(), let port = daemon.port, UInt16(exactly: port) != nil else {
            throw Failure.noAddress(daemon)
        }
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(TimeAmount(limit))
            .connect(host: host.trimmingCharacters(in: ["[", "]"]), port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(NIOHTTPClientResponseAggregator(maxContentLength: Self.answerBytes))
                    return try NIOAsyncChannel<NIOHTTPClientResponseFull, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel
                    )
                }
            }
        // Without a whole answer, the end of the connection ends the loop below.
        let timeout = connection.channel.eventLoop.scheduleTask(in: TimeAmount(limit)) {
            connection.channel.close(promise: nil)
        }
        defer { timeout.cancel() }
        var headers = headers
        if !headers.contains(name: "Host") { headers.add(name: "Host", value: "\(host):\(port)") }
        if !body.isEmpty { headers.add(name: "Content-Length", value: String(body.count)) }
        headers.add(name: "Connection", value: "close")
        let uri = daemon.appending(path: path).path(percentEncoded: true)
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: headers)
        return try await connection.executeThenClose { inbound, outbound in
            // In one write: a daemon that has read all of a request may answer and close before a second one.
            let content = body.isEmpty ? [] : [HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body)))]
            try await outbound.write(contentsOf: [.head(head)] + content + [.end(nil)])
            for try await answer in inbound {
                return Answer(
                    status: answer.head.status,
                    headers: answer.head.headers,
                    body: answer.body ?? ByteBuffer()
                )
            }
            throw Failure.noAnswer(within: limit)
        }
    }
}
