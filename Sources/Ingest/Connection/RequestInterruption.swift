package import HummingbirdCore
package import NIOCore

/// Why the rest of a request will not come after its head. The reader of the body gets it as an error.
enum RequestInterruption: Error, Equatable, Sendable {
    /// The sender broke the framing: a bad chunk size, a bad trailer.
    case malformed
    /// The trailer is too large.
    case headersTooLarge
    /// The sender closed its side before the end.
    case truncated
    /// The sender took too long.
    case timedOut

    var problem: Problem {
        switch self {
        case .malformed: Problem(.malformedRequest, "The chunks of the body are not valid (RFC 9112).")
        case .headersTooLarge: Problem(.headersTooLarge, "The trailer fields are too large; send fewer.")
        case .truncated: Problem(.incompleteBody, "The body ended too early; send the whole request again.")
        case .timedOut: Problem(.requestTimeout, "The body took too long to arrive; send the request again.")
        }
    }
}

extension Problem {
    /// Why a body could not be read.
    init(reading error: any Error) {
        self = error as? Problem ?? (error as? RequestInterruption ?? .truncated).problem
    }
}

extension Request {
    /// The whole body.
    ///
    /// - Parameter limit: in bytes.
    package func collected(upTo limit: Int) async throws(Problem) -> ByteBuffer {
        do {
            return try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw Problem(.bodyTooLarge, "The body is larger than \(limit) bytes.")
        } catch {
            throw Problem(reading: error)
        }
    }
}
