import Events

extension RejectedEvent {
    /// Why a dead letter is still rejected.
    package struct Failure: Error, Equatable, Sendable {
        /// A `Rejection.Code`.
        package var code: String
        package var field: String?
        package var message: String
    }

    /// Reads the event again, by the rules of this program and the time of its first receipt.
    ///
    /// An event without an id gets the dead letter's: however often it is retried, it is stored once.
    func readAgain(retention: Duration) throws(Failure) -> Event {
        if let encodedEvent {
            do {
                return try EventCoding.decode(encodedEvent)
            } catch {
                throw Failure(code: code, message: "the event was kept by another version of this program")
            }
        }
        guard code != Rejection.Code.invalidText.rawValue else {
            // What is kept of it is readable, but it is not what was sent.
            throw Failure(code: code, field: field, message: "the text was damaged on its way; it must be sent again")
        }
        let decoder = BatchDecoder(appID: appID, receivedAt: receivedAt, retention: retention)
        // As a line of its own it is an event and never a list of them. Line breaks are blanks in JSON.
        let line = event.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        let batch: EventBatch
        do throws(BatchError) {
            batch = try decoder.decode(line, as: .ndjson)
        } catch {
            throw Failure(code: error.code, message: "\(error)")
        }
        guard let decoded = batch.events.first else {
            guard let rejection = batch.rejections.first else { throw Failure(code: code, message: message) }
            throw Failure(code: rejection.code.rawValue, field: rejection.field, message: rejection.message)
        }
        var event = decoded.event
        if decoded.hasMadeID { event.id = id }
        return event
    }
}
