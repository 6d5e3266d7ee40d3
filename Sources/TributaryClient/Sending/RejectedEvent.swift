public import struct Foundation.UUID

/// An event that the server will not take, however often it is sent.
public struct RejectedEvent: Sendable, Equatable {
    public var id: UUID
    /// As the server names it: `missing_field`, `too_old` …; `too_large` and `refused` for whole requests.
    public var code: String
    public var message: String
}
