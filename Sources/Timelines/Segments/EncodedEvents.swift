/// Events that are read once more, bucket by bucket: encoded as segments, and beyond a limit in a temporary file, so that
/// memory hardly grows with them: of 25,000 events by 24 bytes for each bucket that some of them lie in.
///
/// Where there is no room for the file they stay in memory.
struct EncodedEvents: Sendable {
    /// Some events of one bucket: segments (`EncodedSegment`), one after the other.
    private enum Piece {
        case kept([UInt8])
        case stored(offset: Int, size: Int)
    }

    /// In bytes.
    static let defaultLimit = 8 << 20

    private let file: TemporaryFile
    /// By bucket.
    private var pieces = [[Piece]](repeating: [], count: PersonHash.bucketCount)
    /// What stays in memory, in bytes.
    private(set) var keptSize = 0

    private init(file: TemporaryFile) {
        self.file = file
    }

    /// Appends the events of a bucket to a batch.
    ///
    /// - Throws: `TimelineError.lostTemporaryFile`.
    func append(_ bucket: Int, to batch: inout SegmentBatch) throws(TimelineError) {
        for piece in pieces[bucket] {
            switch piece {
            case .kept(let bytes): try batch.append(encoded: bytes)
            case .stored(let offset, let size): try batch.append(encoded: try file.read(size, at: offset))
            }
        }
    }

    /// Encodes events as they come, many at once.
    struct Builder {
        /// What the codes of the events are of.
        let dictionary: TimelineDictionary
        private let limit: Int
        private let eventsAtOnce: Int
        private var waiting: [SegmentEvent] = []
        private var events: EncodedEvents

        /// - Parameters:
        ///   - limit: how many bytes stay in memory, beside the events that wait.
        ///   - eventsAtOnce: so many are encoded together.
        ///   - folder: the one for temporary files; nil: the system's.
        init(
            dictionary: TimelineDictionary,
            limit: Int = defaultLimit,
            eventsAtOnce: Int = TimelinePacker.defaultEventsAtOnce,
            folder: String? = nil
        ) {
            self.dictionary = dictionary
            self.limit = limit
            self.eventsAtOnce = eventsAtOnce
            events = EncodedEvents(file: TemporaryFile(in: folder))
        }

        mutating func append(_ event: SegmentEvent) {
            waiting.append(event)
            if waiting.count == eventsAtOnce { encode() }
        }

        /// To be called once, in the end.
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
        }
    }
}
