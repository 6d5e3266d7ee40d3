import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Why a request got no answer, in words that may be shown.
package enum FailureWords {
    /// - Parameters:
    ///   - isSent: whether a connection took the request.
    ///   - timeLimit: how long it was waited for.
    package static func words(for error: any Error, isSent: Bool, timeLimit: Duration) -> String {
        switch error {
        case is InnerAddress: "the host's address is not public; the setting webhook.allow.private allows it"
        case is CancellationError: "the daemon stopped"
        case is TimeIsUp: isSent ? "no answer within \(timeLimit.components.seconds) s" : "no connection in time"
        case let error as HTTPClientError:
            switch error {
            case .connectTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout:
                words(for: TimeIsUp(), isSent: isSent, timeLimit: timeLimit)
            case .tlsHandshakeTimeout: speaksNoTLS
            case .remoteConnectionClosed: ended
            default: "the request failed: \(error.shortDescription)"
            }
        case is HTTPParserError: "its answer is no HTTP"
        case is SocketAddressError: "the host's name is unknown"
        case let error as IOError: String(cString: strerror(error.errnoCode)).lowercased()
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { words(for: $0.error, isSent: isSent, timeLimit: timeLimit) }
                ?? "the host's name is unknown"
        case is NIOSSLExtraError: "its certificate is for another host"
        case let error as NIOSSLError: words(for: error)
        // The description of an unknown error may name a file of the machine that built the program.
        default: "the request failed (\(type(of: error)))"
        }
    }

    private static let speaksNoTLS = "it speaks no TLS"
    private static let ended = "the connection ended before an answer"

    private static func words(for error: NIOSSLError) -> String {
        switch error {
        case .unableToValidateCertificate, .noCertificateToValidate: return "its certificate is not trusted"
        case .uncleanShutdown: return ended
        default: break
        }
        // BoringSSL tells its errors only in the description.
        let text = "\(error)"
        if text.contains("CERTIFICATE_VERIFY_FAILED") { return "its certificate is not trusted" }
        if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") { return speaksNoTLS }
        if text.contains("PROTOCOL_VERSION") || text.contains("UNSUPPORTED_PROTOCOL") {
            return "it speaks no TLS 1.2 or newer"
        }
        if text.contains("EOF during handshake") { return ended }
        return "TLS failed"
    }
}

/// The host's address is not public.
struct InnerAddress: Error {}

struct TimeIsUp: Error {}
