import Events
import InboundLinks
import Time

/// Which devices and clicks a session has seen linked, each by which event: a later event of theirs changes nothing, so
/// nothing need be asked for it. Of one session, because a server that takes the place of another may have lost the link,
/// and it ends the sessions of the other.
///
/// It forgets: each key has four places, and the oldest entry of them gives way to a new one. Keys are kept as hashes of 128
/// bits, keyed by the process.
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
        /// Of the earliest event that has linked it.
        var time: Timestamp
        var id: EventID
    }

    /// 40 bytes each.
    private static let slotCount = 1 << 16

    private var slots: [Slot?] = []
    private var revision: Int64?

    /// To be called first in each transaction.
    ///
    /// - Parameter revision: of `link_revision`, as the transaction sees it. With another one than before, or with none, all
    ///   is forgotten.
    func begin(revision: Int64?) {
        if revision == nil || revision != self.revision { slots = [] }
        self.revision = revision
    }

    /// Whether this event is later than one that has linked the key: by its time and, of the same time, by its id.
    func isKnown(_ key: Key, before time: Timestamp, _ id: EventID) -> Bool {
        guard let place = place(of: key), let slot = slots[place] else { return false }
        return (slot.time, slot.id) < (time, id)
    }

    /// To be called once the event is committed.
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
