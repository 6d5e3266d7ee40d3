/// The events that wait to be sent, in order. Pure; ``EventSender`` guards it with a lock.
struct EventBuffer {
    private let byteLimit: Int
    private let eventLimit: Int
    private var waiting: [EncodedEvent] = []
    /// Bytes of the events that wait and of those on their way.
    private var bytes = 0
    private var onTheirWay = 0
    private var takenCount = 0
    /// Events that were answered or given up.
    private(set) var endedCount = 0
    private var flushTarget = 0
    /// Whether no more events are accepted.
    private(set) var isClosed = false
    /// Whether no more events are sent.
    private(set) var isStopped = false

    init(byteLimit: Int, eventLimit: Int) {
        self.byteLimit = byteLimit
        self.eventLimit = eventLimit
    }

    var isEmpty: Bool { waiting.isEmpty }
    var pendingCount: Int { waiting.count + onTheirWay }

    mutating func append(_ event: EncodedEvent) throws(SendError) {
        guard !isClosed else { throw .shutDown }
        guard pendingCount < eventLimit, bytes + event.json.count <= byteLimit else { throw .bufferFull }
        waiting.append(event)
        bytes += event.json.count
        takenCount += 1
    }

    /// Makes all events that are in the buffer urgent.
    ///
    /// - Returns: the `endedCount` at which all of them have ended.
    mutating func requestFlush() -> Int {
        flushTarget = takenCount
        return takenCount
    }

    mutating func close() { isClosed = true }

    /// - Returns: how many events have not been answered.
    mutating func stop() -> Int {
        isClosed = true
        isStopped = true
        return pendingCount
    }

    /// Whether a batch should leave without waiting for more events.
    func isUrgent(_ limits: BatchLimits) -> Bool {
        isClosed || flushTarget > endedCount || waiting.count >= limits.events
            || bytes >= limits.bytes
    }

    /// The next batch; nil if nothing waits. An event that is larger than the limits goes alone.
    mutating func takeBatch(_ limits: BatchLimits) -> [EncodedEvent]? {
        guard !waiting.isEmpty else { return nil }
        var count = 0
        var size = 0
        for event in waiting.prefix(max(1, limits.events)) {
            size += event.json.count
            if count > 0, size > limits.bytes { break }
            count += 1
        }
        let batch = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        onTheirWay += count
        return batch
    }

    mutating func ended(_ batch: [EncodedEvent]) {
        onTheirWay -= batch.count
        endedCount += batch.count
        bytes -= batch.reduce(0) { $0 + $1.json.count }
    }

    /// Puts back a batch that was on its way when the sender stopped.
    mutating func putBack(_ batch: [EncodedEvent]) {
        onTheirWay -= batch.count
        waiting.insert(contentsOf: batch, at: 0)
    }
}
