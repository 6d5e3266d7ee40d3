import InboundLinks

extension Timestamp {
    /// The nearest one that RFC 3339 can spell.
    var spelled: Timestamp { min(max(self, Timestamp.spellable.lowerBound), Timestamp.spellable.upperBound) }
}
