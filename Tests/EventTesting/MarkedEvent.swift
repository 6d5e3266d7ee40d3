package import Events
import Time

/// An event that has a text of its own in one of its fields, to see where the text goes.
package struct MarkedEvent: Sendable {
    package var use: FieldUse
    package var text: String
    /// As it was sent.
    package var body: String
    package var event: Event

    /// 2026-11-21T12:00:00Z, when all of them are received.
    private static let receipt = Timestamp(microseconds: 1_795_262_400_000_000)

    /// One for each field of each type whose text the sender chooses.
    package static func all() throws -> [MarkedEvent] {
        var ids = EventIDMaker()
        return try FieldUse.all.filter(\.isFreeText).enumerated().map { number, use in
            let text = "zq\(number)qz"
            let body = use.body(value: use.example(with: text))
            let decoder = BatchDecoder(appID: "app", receivedAt: receipt)
            let batch = try decoder.decode(Array(body.utf8), as: .json, ids: &ids)
            guard let event = batch.events.first?.event else { throw BatchError.empty }
            return MarkedEvent(use: use, text: text, body: body, event: event)
        }
    }
}
