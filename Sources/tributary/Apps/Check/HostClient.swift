import AsyncHTTPClient
import Delivery
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Text

/// Asks hosts over HTTPS as a stranger would, and follows no redirect.
struct HostClient: Sendable {
    struct Answer: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]

        func header(_ name: String) -> String? { headers.first(name: name) }

        /// What to do if the status is not the expected one.
        func advice(otherwise: String) -> String {
            switch status {
            case 404: "Does tributaryd answer there, with this database? Does the proxy pass on the header Host?"
            case 429: "tributaryd limits the requests of one address ('link.rate.limit'): wait, and try again."
            default: otherwise
            }
        }
    }

    /// No answer came, said in plain words.
    struct Failure: Error {
        let reason: String
    }

    private static let limit = TimeAmount.seconds(10)
    private static let bodyLimit = 1 << 20

    private let client: HTTPClient
    /// `http://HOST:PORT` of the server that stands for all link hosts; nil: each is asked itself.
    let base: String?

    /// - Throws: `CommandFailure` if a text is no address of a server.
    static func checkedBase(_ text: String) throws -> String {
        let text = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host() != nil,
            URLComponents(string: text)?.hasUsablePort == true, url.path().isEmpty, url.query() == nil,
            url.fragment() == nil, url.user() == nil
        else {
            throw CommandFailure(.usage, "--base-url must be http://HOST:PORT or https://HOST:PORT, and no more")
        }
        return text
    }

    /// The caller closes it.
    init(base: String?) {
        self.base = base
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = Self.limit
        // A host that refuses once has been found out.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroup: .singletonMultiThreadedEventLoopGroup, configuration: configuration)
    }

    func close() async throws { try await client.shutdown() }

    /// Asks a link host.
    ///
    /// - Parameter path: with its first slash.
    func ask(
        _ host: String,
        _ path: String,
        _ method: HTTPMethod = .GET,
        agent: String
    ) async throws(Failure) -> Answer {
        try await ask("\(base ?? "https://\(host)")\(path)", method, agent: agent, host: base == nil ? nil : host)
    }

    /// Asks for any address.
    func ask(
        _ url: String,
        _ method: HTTPMethod,
        agent: String,
        host: String? = nil
    ) async throws(Failure) -> Answer {
        guard URLComponents(string: url)?.hasUsablePort != false else {
            throw Failure(reason: "its port must be from 1 to 65535")
        }
        var request = HTTPClientRequest(url: url)
        request.method = method
        request.headers.add(name: "user-agent", value: agent)
        if let host { request.headers.add(name: "host", value: host) }
        do {
            let response = try await client.execute(request, timeout: Self.limit)
            var body: [UInt8] = []
            if method != .HEAD {
                for try await piece in response.body {
                    body += piece.readableBytesView
                    if body.count > Self.bodyLimit { break }
                }
            }
            return Answer(status: Int(response.status.code), headers: response.headers, body: body)
        } catch {
            throw Failure(reason: Self.words(error))
        }
    }

    private static func words(_ error: any Error) -> String {
        switch error as? HTTPClientError {
        case .connectTimeout, .deadlineExceeded, .readTimeout: return "it does not answer within 10 seconds"
        case .invalidURL, .emptyHost, .emptyScheme: return "this is no web address"
        default: break
        }
        let text = "\(error)"
        if text.contains("CERTIFICATE_VERIFY_FAILED") || text.contains("unableToValidateCertificate") {
            return "its TLS certificate is not valid for it, has expired, or lacks its chain"
        }
        if text.contains("UnknownHost") { return "it cannot be reached: its name is not in DNS" }
        if text.contains("Connection refused") { return "it cannot be reached: nothing listens there" }
        return "it cannot be reached: \(FailureWords.words(for: error, isSent: true, timeLimit: .seconds(10)))"
    }
}
