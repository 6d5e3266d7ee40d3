import Events
import Storage
import InboundLinks

/// Lines or rows that are stored in one submission, with the place of each event in the file.
struct ImportBatch {
    /// The place of an event in the file, and the ids that follow from it.
    struct Place {
        var line: Int
        /// The event's id, if it has none of its own.
        var id: EventID
        /// The id of its dead letter, if it is rejected.
        var deadLetterID: EventID
        /// The position of the rule that made it; nil without a mapping.
        var rule: Int?
    }

    private static let byteLimit = 4 << 20

    private(set) var places: [Place] = []
    private(set) var faults: [(place: Place, json: [UInt8], fault: RowFault)] = []
    /// NDJSON. It begins with a line break, so that the first line is decoded like the others.
    private var text: [UInt8] = [0x0A]
    /// Rows that the mapping skips.
    private(set) var skipped = 0

    var isFull: Bool { places.count + faults.count >= EventLimits.batchCount || text.count >= Self.byteLimit }

    var isEmpty: Bool { places.isEmpty && faults.isEmpty && skipped == 0 }

    /// Adds an event, a line of JSON.
    mutating func append(_ json: some Sequence<UInt8>, at place: Place) {
        text.append(contentsOf: json)
        text.append(0x0A)
        places.append(place)
    }

    mutating func append(_ event: MappedEvent, line: Int) {
        let place = Place(line: line, id: event.id, deadLetterID: event.deadLetterID, rule: event.rule)
        if let fault = event.fault {
            faults.append((place, event.json, fault))
        } else {
            append(event.json, at: place)
        }
    }

    mutating func skip() {
        skipped += 1
    }

    /// The events before decoding, one line of JSON each.
    var lines: [ArraySlice<UInt8>] { text.split(separator: 0x0A) }

    /// Decodes the events, with the same checks as over HTTP.
    ///
    /// - Parameter columns: returns the names of the columns that a field came from.
    func decoded(
        by decoder: BatchDecoder,
        columns: (_ field: String, _ rule: Int) -> String?
    ) throws(ImportError) -> DecodedImport {
        var decoded = DecodedImport()
        if !places.isEmpty {
            let batch: EventBatch
            do {
                batch = try decoder.decode(text, as: .ndjson)
            } catch {
                throw .unusableInput("\(error)")
            }
            decoded.events.reserveCapacity(batch.events.count)
            for event in batch.events {
                let place = places[event.index]
                var stored = event.event
                if event.hasMadeID { stored.id = place.id }
                decoded.events.append(stored)
                decoded.lines.append(place.line)
                decoded.positions.append(event.index)
                decoded.warnings += event.warnings
            }
            for rejection in batch.rejections {
                let place = places[rejection.index]
                let column = rejection.field.flatMap { field in place.rule.flatMap { columns(field, $0) } }
                decoded.append(rejection.naming(place.id), at: place, column: column)
            }
        }
        for (place, json, fault) in faults {
            let rejection = Rejection(
                index: 0,
                eventID: nil,
                code: fault.code,
                field: fault.field,
                message: fault.message,
                of: json
            )
            decoded.append(rejection, at: place, column: fault.column)
        }
        decoded.rejected.sort { $0.line < $1.line }
        return decoded
    }
}

/// A batch after decoding.
struct DecodedImport {
    var events: [Event] = []
    /// The line of each event in the file.
    var lines: [Int] = []
    /// Each event's position among the lines of the batch.
    var positions: [Int] = []
    /// Of all events.
    var warnings: [DecodedEvent.Warning] = []
    var rejections: [Rejection] = []
    /// The ids of the dead letters.
    var rejectionIDs: [EventID] = []
    var rejected: [RejectedLine] = []

    fileprivate mutating func append(_ rejection: Rejection, at place: ImportBatch.Place, column: String?) {
        rejections.append(rejection)
        rejectionIDs.append(place.deadLetterID)
        rejected.append(RejectedLine(rejection, line: place.line, column: column))
    }
}
