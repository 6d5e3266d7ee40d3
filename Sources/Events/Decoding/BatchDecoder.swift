package import InboundLinks
package import Time
import JSONReading

/// Reads the body of a request, or a part of a file, into events and rejections. Pure: the caller provides time and
/// ids.
///
/// An invalid event does not affect its neighbours. Two events with the same id in one batch are valid; the writer
/// decides which of them is stored.
package struct BatchDecoder: Sendable {
    /// The format of the events in a body.
    package enum MediaType: Sendable {
        /// One event, `{"events": […], "sent_at": …}`, or a bare array of events.
        case json
        /// One event per line. Blank lines are skipped and not counted. `\r\n` ends a line too.
        case ndjson
        /// One event as `application/x-www-form-urlencoded`.
        case form
    }

    let decoder: EventDecoder

    /// How many events a batch of this sender may have.
    var countLimit: Int {
        switch decoder.sender {
        case .server: EventLimits.batchCount
        case .app: EventLimits.appBatchCount
        }
    }

    /// - Parameters:
    ///   - appID: the app of the key that the request came with.
    ///   - receivedAt: the time of receipt: the default of `occurred_at`, and the base of all time limits.
    ///   - retention: events older than this are rejected.
    ///   - impliedType: the event type that the request's path implies; nil if it implies none.
    ///   - rules: those that the app adds for reading links.
    ///   - sender: who sends the events, by the key that they came with.
    package init(
        appID: String,
        receivedAt: Timestamp,
        retention: Duration = EventLimits.defaultRetention,
        impliedType: EventType? = nil,
        rules: ReadingRules = .none,
        sender: EventSender = .server
    ) {
        decoder = EventDecoder(
            appID: appID,
            receivedAt: receivedAt,
            retention: retention,
            impliedType: impliedType,
            rules: rules,
            sender: sender,
            readsSentAt: true
        )
    }

    /// Reads a whole body, with ids from the system's randomness.
    package func decode(_ body: some Collection<UInt8>, as mediaType: MediaType) throws(BatchError) -> EventBatch {
        var ids = EventIDMaker()
        return try decode(body, as: mediaType, ids: &ids)
    }

    /// Reads a whole body.
    ///
    /// - Parameters:
    ///   - body: without transfer or content encoding. Contiguous bytes are read without a copy.
    ///   - ids: makes the ids of events without one.
    package func decode(
        _ body: some Collection<UInt8>,
        as mediaType: MediaType,
        ids: inout EventIDMaker<some RandomNumberGenerator & Sendable>
    ) throws(BatchError) -> EventBatch {
        if let result = body.withContiguousStorageIfAvailable({ read($0, as: mediaType, ids: &ids) }) {
            return try result.get()
        }
        return try Array(body).withUnsafeBufferPointer { read($0, as: mediaType, ids: &ids) }.get()
    }

    private func read(
        _ body: UnsafeBufferPointer<UInt8>,
        as mediaType: MediaType,
        ids: inout EventIDMaker<some RandomNumberGenerator & Sendable>
    ) -> Result<EventBatch, BatchError> {
        let body = UnsafeBufferPointer(rebasing: body.dropFirst(body.starts(with: Self.byteOrderMark) ? 3 : 0))
        do throws(BatchError) {
            guard body.contains(where: { !$0.isJSONBlank }) else { throw .empty }
            if let encoding = ForeignEncoding(of: body) { throw encoding.error }
            switch mediaType {
            case .json: return .success(try readJSON(body, ids: &ids))
            case .ndjson: return .success(try readLines(body, ids: &ids))
            case .form: return .success(try readForm(body, ids: &ids))
            }
        } catch {
            return .failure(error)
        }
    }

    /// Some editors write it before UTF-8. RFC 8259 section 8.1 lets a reader ignore it.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

extension EventBatch {
    /// Decodes one event and adds the event or its rejection.
    mutating func append(
        _ node: JSONNode,
        in source: UnsafeBufferPointer<UInt8>,
        damage: TextDamage = TextDamage(),
        decoder: EventDecoder,
        ids: inout EventIDMaker<some RandomNumberGenerator & Sendable>
    ) {
        let index = count
        do throws(Rejection) {
            if damage.touches(node.sourceRange) {
                throw decoder.rejection(damage.fault(in: node), of: node, in: source, index: index)
            }
            events.append(try decoder.decode(node, in: source, index: index, ids: &ids))
        } catch {
            rejections.append(error)
        }
    }
}
