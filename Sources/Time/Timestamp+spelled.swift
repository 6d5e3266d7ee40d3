extension Timestamp {
    /// The nearest one that RFC 3339 can spell.
    package var spelled: Timestamp { min(max(self, Timestamp.spellable.lowerBound), Timestamp.spellable.upperBound) }
}
