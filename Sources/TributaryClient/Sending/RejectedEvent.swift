public import struct Foundation.UUID

/// An event that the server has rejected. It would be rejected again.
public struct RejectedEvent: Sendable, Equatable {
    public var id: UUID
    /// The server's code, such as `missing_field` or `too_old`. If the whole request failed: `too_large` or `refused`.
    public var code: String
    public var message: String
}
