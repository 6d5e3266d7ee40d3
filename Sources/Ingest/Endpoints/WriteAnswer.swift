import Events
import JSONReading

/// The answer to a write request (docs/events.md, *Answers*).
struct WriteAnswer {
    /// Events that are stored now and were not before. With duplicates and rejections, they add up to the batch.
    let accepted: Int
    let duplicates: Int
    let stored: StoreReceipt.Place
    /// In the order of the batch.
    let rejections: [Rejection]
    /// The `rejections` by the database, not by the checks before it.
    let refused: [Rejection]
    /// The events whose ids were made here.
    let made: [DecodedEvent]
    /// Stored events whose sender should know something.
    let warned: [DecodedEvent]

    init(_ batch: EventBatch, _ receipt: StoreReceipt) {
        let refusedPlaces = Set(receipt.refused.filter(batch.events.indices.contains))
        refused = refusedPlaces.map { place in
            Rejection(
                index: batch.events[place].index,
                eventID: batch.events[place].event.id.description,
                code: .refused,
                message: "the database refused the event; it is kept as a dead letter",
                redactedEvent: ""
            )
        }
        rejections = (batch.rejections + refused).sorted { $0.index < $1.index }
        duplicates = receipt.duplicates
        accepted = max(0, batch.events.count - refused.count - receipt.duplicates)
        stored = receipt.stored
        let refusedIndices = Set(refused.map(\.index))
        // Filters indices: reading an event copies it, and most events came with an id.
        made = batch.events.indices
            .filter { batch.events[$0].hasMadeID && !refusedIndices.contains(batch.events[$0].index) }
            .map { batch.events[$0] }
        warned = batch.events.indices
            .filter { !batch.events[$0].warnings.isEmpty && !refusedIndices.contains(batch.events[$0].index) }
            .map { batch.events[$0] }
    }

    /// Whether at least one event of the batch is stored, now or before.
    var isAnyValid: Bool {
        accepted + duplicates > 0
    }

    var document: String {
        if rejections.isEmpty, made.isEmpty, warned.isEmpty {
            // Nearly every answer. Nothing in it needs escaping.
            return
                #"{"accepted":\#(accepted),"duplicates":\#(duplicates),"stored":"\#(stored.rawValue)","rejected":[]}"#
        }
        var json = JSONWriter()
        json.object { json in
            json.member("accepted", accepted)
            json.member("duplicates", duplicates)
            json.member("stored", stored.rawValue)
            if !made.isEmpty {
                json.member("event_ids", made) { object, made in
                    object.member("index", made.index)
                    object.member("event_id", made.event.id.description)
                }
            }
            json.member("rejected", rejections)
            if !warned.isEmpty {
                let warnings = warned.flatMap { event in event.warnings.map { (event, $0) } }
                json.member("warnings", warnings) { object, warned in
                    let (event, warning) = warned
                    object.member("index", event.index)
                    object.member("event_id", event.event.id.description)
                    object.member("code", warning.code.rawValue)
                    object.member("field", warning.field)
                    object.member("message", warning.message)
                }
            }
        }
        return json.text
    }
}
