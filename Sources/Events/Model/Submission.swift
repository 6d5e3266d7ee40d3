package import Time

/// The events of one request, already decoded and checked, and its rejections. One transaction stores both.
package struct Submission: Equatable, Sendable {
    package var appNumber: Int32
    /// The first characters of the key, which name it in logs without revealing it.
    package var keyPrefix: String
    package var receivedAt: Timestamp
    /// Valid events, in the order of the request; empty if every event was rejected.
    package var events: [Event]
    package var rejections: [Rejection]
    /// The version of the app's rules that its links were read by; 0: the app had none. If the app has other rules when
    /// the events are stored, their links are read again. Nil: they are stored as they are. The spool does not keep it,
    /// because what it holds is read by the rules of the moment when it is delivered.
    package var rulesVersion: Int?
    /// The ids of the dead letters, so that a line of an imported file has one dead letter however often it is
    /// imported. If empty, the ids are derived from the submission. The spool does not keep them.
    package var rejectionIDs: [EventID] = []
    /// How far an import has come; recorded in the same transaction. The spool does not keep it.
    package var checkpoint: ImportCheckpoint?

    package init(
        appNumber: Int32,
        keyPrefix: String,
        receivedAt: Timestamp,
        events: [Event],
        rejections: [Rejection] = [],
        rulesVersion: Int? = nil
    ) {
        self.appNumber = appNumber
        self.keyPrefix = keyPrefix
        self.receivedAt = receivedAt
        self.events = events
        self.rejections = rejections
        self.rulesVersion = rulesVersion
    }
}
