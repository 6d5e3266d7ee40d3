/// Whether a session may believe that a group's events are new, and of people and apps that are there. That is cheaper to claim (`insert_new_event_keys.sql`), but
/// a group in which one has been stored before, or may be of somebody who has been erased, is then begun again.
///
/// Events that have been stored before seldom come alone: a batch is sent again because no answer came, an import because
/// it was interrupted, a spool after an outage. So after one, the session looks first until there were none for some groups:
/// few, because to look costs a group nearly as much as to begin again.
final class OptimisticInserts {
    /// However the events come, no more than one group in so many is begun again.
    private static let carefulGroups = 4

    private var remaining = 0

    var isAllNew: Bool { remaining == 0 }

    /// To be called when a group was begun again because of such an event.
    func failed() {
        remaining = Self.carefulGroups
    }

    /// To be called when it was looked first. - Parameter wasRight: whether it might have been believed.
    func looked(wasRight: Bool) {
        remaining = wasRight ? max(0, remaining - 1) : Self.carefulGroups
    }
}
