import Events
import InboundLinks
import Postgres
import Time

/// Stores the events of a group in the open transaction, each at most once. No two of them have the same id.
///
/// The transaction must begin with ``opening``. The steps:
///
/// 1. Claim the keys (app, event id): the transaction that inserts a key stores the event
///    (`EventInsert+claiming.swift`).
/// 2. Copy the rows of the new events straight into the table. COPY has no "on conflict", but it is the cheapest way to
///    load rows. The keys have already decided what is new, so nothing is joined and no row is written twice. If a key
///    is too old to be kept, the index `event_identity` refuses the event.
/// 3. Insert the links of devices and clicks.
///
/// Every statement gets its keys in sort order. So two writers with the same keys wait in line and never deadlock.
struct EventInsert {
    /// An event by its position: which submission, and which of its events.
    struct Row {
        var submission: Int
        var index: Int
    }

    enum Outcome {
        case stored
        /// The id, or the feed post, was stored before.
        case duplicate
        /// The person or the app has been erased since the event was received. The key of a person's event is kept, so
        /// that no retry brings it back.
        case erased
    }

    /// The optimistic claim failed: an event was already stored, or its person or app may have been erased. Nothing of
    /// the group is stored. The caller calls ``OptimisticInserts/failed()`` and stores the group again.
    struct OptimisticInsertFailed: Error {}

    /// Links of events were read by other rules than their app has now. Nothing of the group is stored. The caller
    /// reads them again (`EventGroup.readAgain`), and stores the group then.
    struct OutdatedRules: Error {
        /// By their numbers.
        var apps: Set<Int32>
    }

    /// The commands that open the transaction.
    ///
    /// - COPY takes this lock anyway. A deletion finds the transactions that store events by it
    ///   (`select_storing_transactions.sql`), so a transaction holds it before it reads what has been erased.
    /// - Without sequential scans: a plan that is made while a table is small is still used when the table has grown.
    /// - With generic plans: the plans suit groups of every size. Otherwise the planner plans each group again for as
    ///   long as it expects small groups.
    static let opening = [
        "lock table only event in row exclusive mode",
        "set local enable_seqscan = off",
        "set local plan_cache_mode = force_generic_plan",
    ]

    let submissions: [Submission]
    let rows: [Row]
    /// One for each of `rows`. Claiming changes them.
    var outcomes: [Outcome]
    /// The links that this insert may write, for ``remember(on:)``. `place` is an index of `rows`.
    private var linked: [(key: LinkCache.Key, place: Int)] = []

    init(_ rows: some Collection<Row>, of submissions: [Submission]) {
        self.submissions = submissions
        self.rows = Array(rows)
        outcomes = Array(repeating: .stored, count: rows.count)
    }

    /// - Parameter place: an index of `rows`.
    subscript(place: Int) -> Event {
        @inline(__always) get { submissions[rows[place].submission].events[rows[place].index] }
    }

    func app(_ place: Int) -> Int32 {
        submissions[rows[place].submission].appNumber
    }

    /// - Throws: ``OptimisticInsertFailed``, ``OutdatedRules``, ``PostgresError``.
    mutating func store(on connection: isolated PostgresConnection) throws {
        let isOptimistic = connection.memory { OptimisticInserts() }.isAllNew
        let claimed =
            isOptimistic ? try claimOptimistically(on: connection) : try claimStepByStep(on: connection)
        guard !claimed.rows.isEmpty else { return }
        let data = claimed.rows.data(of: claimed.transaction)
        if isOptimistic {
            try Self.assumingNew { _ = try connection.copyIn(EventRow.copyStatement, data) }
        } else {
            try connection.copyIn(EventRow.copyStatement, data)
        }
        let known = connection.memory { LinkCache() }
        known.begin(revision: claimed.linkRevision)
        // Links come last: many groups name the same devices, and the second one waits here until the first has ended.
        try insertLinks(transaction: claimed.transaction, unless: known, on: connection)
    }

    /// Adds the links to the session's ``LinkCache``. Call it after the commit.
    func remember(on connection: isolated PostgresConnection) {
        let known = connection.memory { LinkCache() }
        for (key, place) in linked { known.learn(key, at: self[place].occurredAt, self[place].id) }
    }

    /// Runs a step of an optimistic insert. It fails with a unique violation if an event was stored before, perhaps by
    /// another writer at the same time.
    static func assumingNew<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as PostgresError where error.isUniqueViolation {
            throw OptimisticInsertFailed()
        }
    }

    // MARK: - Links

    private mutating func insertLinks(
        transaction: Int64,
        unless known: LinkCache,
        on connection: isolated PostgresConnection
    ) throws {
        var devices = EarliestEvents()
        var clicks = EarliestEvents()
        for place in rows.indices where outcomes[place] == .stored {
            let (hasUser, device, click) = (self[place].userID != nil, self[place].deviceID, self[place].clickID)
            let (time, id) = (self[place].occurredAt, self[place].id)
            if let device, hasUser, isNew(.device, device, place, unless: known) {
                devices.add(AppText(app: app(place), text: device), at: time, id, place: place)
            }
            if let click, hasUser || device != nil, isNew(.click, click, place, unless: known) {
                let precedence = PersonClaim.precedence(ofClickIn: self[place].type)
                clicks.add(AppText(app: app(place), text: click), precedence: precedence, at: time, id, place: place)
            }
        }
        guard !devices.isEmpty || !clicks.isEmpty else { return }
        var (users, clickUsers) = (PostgresArray(.text), PostgresArray(.text))
        var clickDevices = PostgresArray(.text)
        var clickPrecedences = PostgresArray(.int32)
        let device = devices.columns { users.append(text: self[$0].userID) }
        let click = clicks.columns { place in
            let user = self[place].userID
            clickUsers.append(text: user)
            clickDevices.append(text: user == nil ? self[place].deviceID : nil)
            clickPrecedences.append(int32: PersonClaim.precedence(ofClickIn: self[place].type))
        }
        try connection.executeWithNext(
            StoredSQL.insertLinks,
            [
                .array(device.apps), .array(device.keys), .array(users), .array(device.times), .array(device.ids),
                .array(click.apps), .array(click.keys), .array(clickUsers), .array(clickDevices),
                .array(clickPrecedences), .array(click.times), .array(click.ids), .int(transaction),
            ]
        )
    }

    /// Whether the event may be the one that links the device or click. If so, notes it for ``remember(on:)``. The
    /// cache knows no precedence: an install is always asked about, and a later event than any known one never wins.
    private mutating func isNew(_ kind: LinkCache.Kind, _ text: String, _ place: Int, unless known: LinkCache) -> Bool {
        let key = LinkCache.Key(kind, app: app(place), text)
        let isFirstOfAll = kind == .click && self[place].type == .install
        guard isFirstOfAll || !known.isKnown(key, before: self[place].occurredAt, self[place].id) else { return false }
        linked.append((key, place))
        return true
    }
}
