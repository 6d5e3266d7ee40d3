/// Why a sink, or the keeper of keys, could not do its work. Always answered with 503: the sender may try again.
package enum SinkError: Error, Equatable, Sendable {
    /// Neither the database nor the spool can take events.
    case unavailable(retryAfter: Duration)
    /// More waits to be stored than may wait.
    case overloaded(retryAfter: Duration)
    /// No answer within the deadline. What was sent may be stored nevertheless; its event ids make a retry safe.
    case timedOut
}
