import Events

/// What a writer learns about its batch (docs/events.md, *Answers*).
struct WriteAnswer {
    /// Events that are stored now and were not before. With duplicates and rejections this makes the whole batch.
    let accepted: Int
    let duplicates: Int
    let stored: StoreReceipt.Place
    /// In the order of the batch.
    let rejections: [Rejection]
    /// Those among `rejections` that the store refused, not the checks before it.
    let refused: [Rejection]
    /// The ids that were made here, with the places of their events.
    let made: [DecodedEvent]

    init(_ batch: EventBatch, _ receipt: StoreReceipt) {
        let refusedPlaces = Set(receipt.refused.filter(batch.events.indices.contains))
        refused = refusedPlaces.map { place in
            Rejection(
                index: batch.events[place].index,
                eventID: batch.events[place].event.id.description,
                code: .refused,
                message: "the database refused the event",
                redactedEvent: ""
            )
        }
        rejections = (batch.rejections + refused).sorted { $0.index < $1.index }
        duplicates = receipt.duplicates
        accepted = max(0, batch.events.count - refused.count - receipt.duplicates)
        stored = receipt.stored
        let refusedIndices = Set(refused.map(\.index))
        // By place: an event that is taken out is copied, and most have brought their id.
        made = batch.events.indices
            .filter { batch.events[$0].hasMadeID && !refusedIndices.contains(batch.events[$0].index) }
            .map { batch.events[$0] }
    }

    /// Whether at least one event of the batch is stored, now or before.
    var isAnyValid: Bool {
        accepted + duplicates > 0
    }

    var document: String {
        if rejections.isEmpty, made.isEmpty {
            // Nearly every answer. Nothing in it needs an escape.
            return
                #"{"accepted":\#(accepted),"duplicates":\#(duplicates),"stored":"\#(stored.rawValue)","rejected":[]}"#
        }
        var json = JSONText()
        json.object {
            $0.member("accepted", accepted)
            $0.member("duplicates", duplicates)
            $0.member("stored", stored.rawValue)
            if !made.isEmpty {
                $0.member("event_ids", made) { object, made in
                    object.member("index", made.index)
                    object.member("event_id", made.event.id.description)
                }
            }
            $0.member("rejected", rejections)
        }
        return json.text
    }
}
