/// Events that are read once more, bucket by bucket: encoded as segments, and beyond a limit in a temporary file, so that
/// memory hardly grows with them: by some 40 bytes for each piece of 25,000 events that lies in one bucket and month.
///
/// Where there is no room for the file they stay in memory.
struct EncodedEvents: Sendable {
    private enum Piece {
        case kept(EncodedSegment)
        case stored(TemporaryFile, offset: Int, size: Int, month: Int64)
    }

    /// In bytes.
    static let defaultLimit = 8 << 20

    /// By bucket.
    private var pieces = [[Piece]](repeating: [], count: PersonHash.bucketCount)
    /// What stays in memory, in bytes.
    private(set) var keptSize = 0

    private init() {}

    /// Appends the events of a bucket to a batch.
    ///
    /// - Throws: `TimelineError.lostTemporaryFile`.
    func append(_ bucket: Int, to batch: inout SegmentBatch) throws(TimelineError) {
        for piece in pieces[bucket] {
            switch piece {
            case .kept(let segment): batch.append(segment)
            case .stored(let file, let offset, let size, let month):
                batch.append(EncodedSegment(month: month, bytes: try file.read(size, at: offset)))
            }
        }
    }

    /// Encodes events as they come, many at once.
    struct Builder {
        /// What the codes of the events are of.
        let dictionary: TimelineDictionary
        private let limit: Int
        private let eventsAtOnce: Int
        private let file: TemporaryFile
        private var waiting: [PackedEvent] = []
        private var events = EncodedEvents()

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
            file = TemporaryFile(in: folder)
        }

        mutating func append(_ event: PackedEvent) {
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
            var encoded: [(bucket: Int, segment: EncodedSegment)] = []
            SegmentStore.forEachSegment(of: &waiting, dictionary: dictionary) { part, builder in
                encoded.append((Int(part.bucket), EncodedSegment(month: part.month, columns: builder.columns)))
            }
            let size = encoded.reduce(0) { $0 + $1.segment.bytes.count }
            if events.keptSize + size > limit, store(encoded) { return }
            events.keptSize += size
            for (bucket, segment) in encoded { events.pieces[bucket].append(.kept(segment)) }
        }

        /// - Returns: whether there was room in the file.
        private mutating func store(_ encoded: [(bucket: Int, segment: EncodedSegment)]) -> Bool {
            guard var offset = file.append(encoded.flatMap(\.segment.bytes)) else { return false }
            for (bucket, segment) in encoded {
                let size = segment.bytes.count
                events.pieces[bucket].append(.stored(file, offset: offset, size: size, month: segment.month))
                offset += size
            }
            return true
        }
    }
}
