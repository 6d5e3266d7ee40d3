/// Why an ``EventSink`` or a ``KeyAuthenticator`` failed. The sender may try again.
package enum SinkError: Error, Equatable, Sendable {
    /// Neither the database nor the spool can take events.
    case unavailable(retryAfter: Duration)
    /// Too many events wait to be stored.
    case overloaded(retryAfter: Duration)
    /// No answer within the deadline. The batch may be stored nevertheless; its event ids make a retry safe.
    case timedOut
    /// Something that nobody has foreseen. The log says what.
    case internalError
}
