/// A source of timelines: a scan of the events, packed timelines, or a list in memory. Folds do not know which.
package protocol TimelineSource {
    /// The dictionary of the events' codes.
    var dictionary: TimelineDictionary { get }

    /// Hands out each person's timeline once, complete, in any order of people. Anonymous events are handed out one by
    /// one.
    func forEachPerson(_ body: (borrowing PersonTimeline) throws -> Void) throws
}
