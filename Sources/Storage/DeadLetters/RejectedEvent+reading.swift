import Events
import InboundLinks
import Redirects

extension RejectedEvent {
    /// Why a dead letter is still rejected.
    package struct Failure: Error, Equatable, Sendable {
        /// The raw value of a `Rejection.Code`.
        package var code: String
        package var field: String?
        package var message: String
    }

    /// Reads the event again by the rules of this program, with the time of its first receipt.
    ///
    /// An event without an id gets the dead letter's id, so that it is stored once however often it is retried.
    ///
    /// - Parameter rereading: the rules of its app; nil if it never had any.
    func readAgain(retention: Duration, by rereading: TouchRereading? = nil) throws(Failure) -> DecodedEvent {
        if let encodedEvent {
            do {
                let event = StoredText.event(try EventJSON.decode(encodedEvent.utf8))
                return DecodedEvent(index: 0, event: rereading?.read(event) ?? event, hasMadeID: false)
            } catch {
                throw Failure(code: code, message: "another version of this program stored this event")
            }
        }
        guard code != Rejection.Code.invalidText.rawValue else {
            // The stored text can be read, but it is not the text that was sent.
            throw Failure(code: code, field: field, message: "the text was damaged on its way; send it again")
        }
        let decoder = BatchDecoder(
            appID: appID,
            receivedAt: receivedAt,
            retention: retention,
            rules: rereading?.rules ?? .none,
            sender: EventSender(keyPrefix: keyPrefix)
        )
        // One line of NDJSON is always one event, never an array. In JSON, line breaks are blanks.
        let line = event.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        let batch: EventBatch
        do throws(BatchError) {
            batch = try decoder.decode(line, as: .ndjson)
        } catch {
            throw Failure(code: error.code, message: "\(error)")
        }
        guard var decoded = batch.events.first else {
            guard let rejection = batch.rejections.first else { throw Failure(code: code, message: message) }
            throw Failure(code: rejection.code.rawValue, field: rejection.field, message: rejection.message)
        }
        if decoded.hasMadeID { decoded.event.id = id }
        return decoded
    }
}
