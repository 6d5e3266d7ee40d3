/// Events that are read again later, bucket by bucket. They are encoded as segments, and beyond a limit written to a
/// temporary file. So memory hardly grows with them: for each 25,000 events by 24 bytes for each bucket that they are
/// in.
///
/// If there is no room for the file, they stay in memory.
struct EncodedEvents: Sendable {
    /// Some events of one bucket: encoded segments (`EncodedSegment`), one after the other.
    private enum Piece {
        case kept([UInt8])
        case stored(offset: Int, size: Int)
    }

    /// In bytes.
    static let defaultLimit = 8 << 20

    private let file: TemporaryFile
    /// Pieces by bucket.
    private var pieces = [[Piece]](repeating: [], count: PersonHash.bucketCount)
    /// How many bytes are in memory.
    private(set) var keptSize = 0

    private init(file: TemporaryFile) {
        self.file = file
    }

    /// Appends the events of a bucket to a batch.
    ///
    /// - Throws: `TimelineError.lostTemporaryFile`; `TimelineError.tooManyTexts`.
    func append(_ bucket: Int, to batch: inout SegmentBatch) throws {
        for piece in pieces[bucket] {
            switch piece {
            case .kept(let bytes): try batch.append(encoded: bytes)
            case .stored(let offset, let size): try batch.append(encoded: try file.read(size, at: offset))
            }
        }
    }

    /// Encodes events as they arrive, many together.
    struct Builder {
        /// The dictionary of the events.
        let dictionary: TimelineDictionary
        /// Whether the dictionary is emptied when its events are encoded.
        private let forgetsTexts: Bool
        private let limit: Int
        private let eventsAtOnce: Int
        private var waiting: [SegmentEvent] = []
        private var events: EncodedEvents

        /// - Parameters:
        ///   - dictionary: nil for one of its own, which never has the texts of more than `eventsAtOnce` events.
        ///   - limit: how many bytes stay in memory, beside the events that are not encoded yet.
        ///   - eventsAtOnce: how many events are encoded together.
        ///   - folder: the folder for the temporary file; nil for the system's.
        init(
            dictionary: TimelineDictionary? = nil,
            limit: Int = defaultLimit,
            eventsAtOnce: Int = BucketRanges.eventsAtOnce,
            folder: String? = nil
        ) {
            self.dictionary = dictionary ?? TimelineDictionary()
            forgetsTexts = dictionary == nil
            self.limit = limit
            self.eventsAtOnce = eventsAtOnce
            events = EncodedEvents(file: TemporaryFile(in: folder))
        }

        /// For one of several connections. Beyond two, all together take as much memory as two of them.
        ///
        /// - Parameter dictionary: nil for one of its own.
        init(dictionary: TimelineDictionary? = nil, sharedBy connections: Int) {
            let others = max(2, connections)
            self.init(
                dictionary: dictionary,
                limit: EncodedEvents.defaultLimit * 2 / others,
                eventsAtOnce: BucketRanges.eventsAtOnce * 2 / others
            )
        }

        mutating func append(_ event: SegmentEvent) {
            waiting.append(event)
            if waiting.count == eventsAtOnce || forgetsTexts && dictionary.textSize > limit { encode() }
        }

        /// Encodes the events that wait for others. Afterwards no event has a code of the dictionary.
        mutating func encodeWaiting() {
            if !waiting.isEmpty { encode() }
        }

        /// Encodes the remaining events. Call it once, at the end.
        mutating func finish() -> EncodedEvents {
            encode()
            waiting = []
            return events
        }

        private mutating func encode() {
            var bytes: [UInt8] = []
            var buckets: [(bucket: Int, range: Range<Int>)] = []
            SegmentStore.forEachSegment(of: &waiting, dictionary: dictionary) { part, builder in
                var start = bytes.count
                bytes.append(encoding: builder)
                if let last = buckets.last, last.bucket == part.bucket {
                    start = last.range.lowerBound
                    buckets.removeLast()
                }
                buckets.append((Int(part.bucket), start..<bytes.count))
            }
            if events.keptSize + bytes.count > limit, let offset = events.file.append(bytes) {
                for (bucket, range) in buckets {
                    events.pieces[bucket].append(.stored(offset: offset + range.lowerBound, size: range.count))
                }
            } else {
                events.keptSize += bytes.count
                for (bucket, range) in buckets { events.pieces[bucket].append(.kept(Array(bytes[range]))) }
            }
            if forgetsTexts { dictionary.removeAll() }
        }
    }
}
