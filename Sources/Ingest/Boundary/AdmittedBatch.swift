package import Events
package import Time

/// The events of one request, after every check.
package struct AdmittedBatch: Sendable {
    package var appNumber: Int32
    package var appID: String
    /// Valid events, in the order of the request. Empty when every event was rejected.
    package var events: [Event]
    /// Kept as dead letters by the sink in the same step.
    package var rejections: [Rejection]
    package var receivedAt: Timestamp
    /// The first characters of the key, which name it in logs without opening anything.
    package var keyPrefix: String

    package init(
        appNumber: Int32,
        appID: String,
        events: [Event],
        rejections: [Rejection],
        receivedAt: Timestamp,
        keyPrefix: String
    ) {
        self.appNumber = appNumber
        self.appID = appID
        self.events = events
        self.rejections = rejections
        self.receivedAt = receivedAt
        self.keyPrefix = keyPrefix
    }
}
