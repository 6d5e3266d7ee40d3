/// Where timelines come from: a scan of the events, packed timelines, a list in memory. The folds do not know.
package protocol TimelineSource {
    /// The codes of the events handed out.
    var dictionary: TimelineDictionary { get }

    /// Hands out each person's timeline once, finished, in any order of people; events that belong to nobody one by one.
    func forEachPerson(_ body: (borrowing PersonTimeline) throws -> Void) throws
}
