import Events
import InboundLinks
import Time

/// The devices and clicks that a session has seen linked, each with the earliest event that it knows to link them. A
/// later event does not change the link, so the writer need not ask the database about it.
///
/// Each session has a cache of its own: failover ends the session, and the new primary may lack the link.
///
/// The cache is small and forgets. A key has four slots, and a new key replaces the oldest entry in them. Keys are
/// stored as 128-bit hashes whose seed is the process's own.
final class LinkCache {
    enum Kind: UInt8 {
        case device
        case click
    }

    struct Key: Equatable {
        fileprivate var high: UInt64
        fileprivate var low: UInt64

        init(_ kind: Kind, app: Int32, _ text: String) {
            high = Self.hash(kind, 0, app, text)
            low = Self.hash(kind, 1, app, text)
        }

        private static func hash(_ kind: Kind, _ half: UInt8, _ app: Int32, _ text: String) -> UInt64 {
            var hasher = Hasher()
            hasher.combine(half)
            hasher.combine(kind.rawValue)
            hasher.combine(app)
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
    }

    private struct Slot {
        var key: Key
        /// The time of the earliest event that links the key; `id` is its id.
        var time: Timestamp
        var id: EventID
    }

    /// A slot takes 40 bytes.
    private static let slotCount = 1 << 16

    private var slots: [Slot?] = []
    private var revision: Int64?

    /// Call it first in each transaction. Empties the cache if links have been removed since the last call.
    ///
    /// - Parameter revision: `link_revision` as the transaction sees it. A revision other than the last one, or nil,
    ///   empties the cache.
    func begin(revision: Int64?) {
        if revision == nil || revision != self.revision { slots = [] }
        self.revision = revision
    }

    /// Whether an earlier event than this one links the key: earlier by time or, at the same time, by id.
    func isKnown(_ key: Key, before time: Timestamp, _ id: EventID) -> Bool {
        guard let place = place(of: key), let slot = slots[place] else { return false }
        return (slot.time, slot.id) < (time, id)
    }

    /// Remembers that an event links the key. Call it after the event's commit.
    func learn(_ key: Key, at time: Timestamp, _ id: EventID) {
        if slots.isEmpty { slots = Array(repeating: nil, count: Self.slotCount) }
        if let place = place(of: key) {
            if let slot = slots[place], (slot.time, slot.id) <= (time, id) { return }
            slots[place] = Slot(key: key, time: time, id: id)
        } else {
            let places = Self.places(for: key)
            for place in places.dropFirst().reversed() { slots[place] = slots[place - 1] }
            slots[places.lowerBound] = Slot(key: key, time: time, id: id)
        }
    }

    private func place(of key: Key) -> Int? {
        slots.isEmpty ? nil : Self.places(for: key).first { slots[$0]?.key == key }
    }

    private static func places(for key: Key) -> Range<Int> {
        let first = Int(truncatingIfNeeded: key.low) & (slotCount - 1) & ~3
        return first..<first + 4
    }
}
