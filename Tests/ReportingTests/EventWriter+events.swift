import Events
import Time
import Storage

extension EventWriter {
    /// Stores events of an app as one request. Returns after the commit.
    @discardableResult
    func store(_ events: [Event], of app: App, receivedAt: Timestamp) async throws(EventWriterError) -> WriteReceipt {
        try await store(Submission(appNumber: app.number, keyPrefix: "test", receivedAt: receivedAt, events: events))
    }
}
