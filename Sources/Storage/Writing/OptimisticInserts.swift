/// Whether a session stores its next group optimistically. It then assumes that every event is new, and that no person
/// and no app of the group has been erased.
///
/// An optimistic claim is cheaper (`insert_new_event_keys.sql`). But if the assumption is wrong, the group must be
/// stored again, with explicit checks. Duplicates seldom come alone: a batch is sent again because no answer came, an
/// import starts again after an interruption, a spool is delivered after an outage. So after a failure the session
/// checks until it has seen four clean groups in a row. It does not check longer, because checking a group costs nearly
/// as much as storing it again.
///
/// | state | input | next state |
/// |---|---|---|
/// | optimistic | the group is stored | optimistic |
/// | optimistic | ``failed()`` | checking, four groups left |
/// | checking, n groups left | ``recordExplicitCheck(allNew:)`` with true | checking, n − 1 left; at 0, optimistic |
/// | checking, n groups left | ``recordExplicitCheck(allNew:)`` with false | checking, four groups left |
final class OptimisticInserts {
    /// Whatever events come, at most one group in this many is stored twice.
    private static let carefulGroups = 4

    /// The groups that are left to check; 0 in the state "optimistic".
    private var remaining = 0

    /// Whether the next group is to be stored optimistically.
    var isAllNew: Bool { remaining == 0 }

    /// Call it when an optimistic group failed, before the group is stored again.
    func failed() {
        remaining = Self.carefulGroups
    }

    /// Call it for each group that was stored with explicit checks.
    ///
    /// - Parameter allNew: whether the group could have been stored optimistically.
    func recordExplicitCheck(allNew: Bool) {
        remaining = allNew ? max(0, remaining - 1) : Self.carefulGroups
    }
}
