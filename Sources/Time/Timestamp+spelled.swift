extension Timestamp {
    /// The nearest timestamp that RFC 3339 can spell.
    package var spelled: Timestamp { min(max(self, Timestamp.spellable.lowerBound), Timestamp.spellable.upperBound) }
}
