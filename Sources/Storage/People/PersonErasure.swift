import Events
import InboundLinks
import Time
import Postgres
import Text

/// Deletes a person, and keeps a receipt if anything was deleted. The order of the steps keeps anything of the person
/// from coming back.
///
/// 1. Bar the person's keys: store their hashes. After that commit, the writer drops every event of the person that was
///    received before it.
/// 2. Wait for the transactions that are storing events. The search finds what they stored.
/// 3. Rewrite the spools of this machine.
/// 4. Search for the events. This takes long and locks nothing.
/// 5. Delete the events and all that is derived from them in one short transaction, hide the ids in the log of changes,
///    and give shared devices and clicks the links of the events that stay.
/// 6. Restore links: a transaction that stored events during step 5 saw the old links and added none. If the process is
///    killed first, the next removal of links does it.
struct PersonErasure {
    private static let eventsAtOnce = 10_000

    let app: App
    let key: PersonKey
    let spools: SpoolFolder
    let packed: any PackedTimelines
    let progress: DeletionProgress.Handler

    /// The result of the search.
    private struct Findings {
        /// The events to delete, month by month.
        var events: [(month: EventMonth, events: [PersonEvent])] = []
        /// The dead letters to delete.
        var deadLetters: [EventID] = []
        /// The links that the events that stay give the person's devices and clicks.
        var claims = PersonClaims()
        /// Whether an event of these keys stays because it was received later.
        var hasLaterEvents = false

        mutating func add(_ event: PersonEvent, _ month: EventMonth) {
            if events.last?.month == month {
                events[events.count - 1].events.append(event)
            } else {
                events.append((month, [event]))
            }
        }
    }

    /// When the deletion began. What was received before goes.
    private struct Moment {
        var time: Timestamp
        /// Events of earlier transactions go even if their time of receipt is later: a daemon's clock may be wrong.
        var transactionNumber: Int64
    }

    func run(on connection: isolated PostgresConnection) throws -> DeletionReceipt? {
        // Two people may share a device, so deletions in one app take turns.
        try LinkRemoval.alone(in: app.number, on: connection, progress: progress) { try runAlone(on: connection) }
    }

    private func runAlone(on connection: isolated PostgresConnection) throws -> DeletionReceipt? {
        // The search follows the links, so interrupted removals are finished first.
        try LinkRemoval.finishAll(in: app.number, on: connection)
        let (person, moment) = try bar(on: connection)
        let horizon = try TransactionHorizon.read(of: app.number, on: connection)
        progress(DeletionProgress("rewriting spools"))
        let spooled = try SpooledPerson(person).erase(in: spools, receivedBefore: moment.time)
        let findings = try search(person, until: moment, on: connection)
        progress(DeletionProgress("deleting"))
        let (receipt, removal) = try StoringTransactions.retrying {
            try connection.transaction {
                (
                    try delete(findings, of: person, spooled, startedAt: moment.time, on: connection),
                    try LinkRemoval.note(in: app.number, storedFrom: horizon, on: connection)
                )
            }
        }
        try LinkRemoval.finish(
            [removal],
            in: app.number,
            devices: person.ids(.device),
            clicks: person.ids(.click),
            on: connection
        )
        return receipt
    }

    /// Makes the writer drop every event of the person that was received before now. Repeats until the search finds no
    /// new key: events that were being stored may have added one.
    private func bar(on connection: isolated PostgresConnection) throws -> (Person, Moment) {
        var barred: Set<PersonKey> = []
        var moment: Moment?
        while true {
            let spooled = try SpooledPerson.claims(of: app, in: spools)
            let person = try PersonSearch(app: app, spooled: spooled).person(of: key, on: connection)
            let new = Set(person.keys + [key]).subtracting(barred)
            if new.isEmpty, let moment { return (person, moment) }
            let known = moment
            moment = try connection.transaction {
                let now =
                    try known
                    ?? {
                        let row = try connection.query("select clock_timestamp(), current_transaction_number()")[0]
                        return Moment(
                            time: Timestamp(microseconds: try row.timestamp(0)),
                            transactionNumber: try row.int64(1)
                        )
                    }()
                try connection.execute(
                    StoredSQL.insertErasures,
                    [
                        .int(Int64(app.number)), .textArray(new.map(\.digest.hexadecimal)),
                        .timestamp(microseconds: now.time.microseconds),
                    ]
                )
                return now
            }
            barred.formUnion(new)
            progress(DeletionProgress("waiting for events that are being stored"))
            try StoringTransactions.waitForThose(of: app.number, on: connection)
        }
    }

    private func search(
        _ person: Person,
        until moment: Moment,
        on connection: isolated PostgresConnection
    ) throws -> Findings {
        var findings = Findings()
        let ownership = PersonOwnership(person.keys)
        try PersonEvent.forEach(mentioning: person, on: connection, progress: progress) { event, month in
            let isEarlier = event.receivedAt < moment.time || event.transactionNumber < moment.transactionNumber
            let isOwn = ownership.owns(event.keys)
            if isOwn, isEarlier {
                findings.add(event, month)
            } else {
                if isOwn { findings.hasLaterEvents = true }
                findings.claims.add(
                    event.keys,
                    of: EventType(rawValue: event.type),
                    occurredAt: event.occurredAt,
                    eventID: event.id,
                    ofOnly: ownership.keys
                )
            }
        }
        try PersonDeadLetter.forEach(of: person, on: connection, progress: progress) { letter in
            if letter.receivedAt < moment.time { findings.deadLetters.append(letter.id) }
        }
        return findings
    }

    private func delete(
        _ findings: Findings,
        of person: Person,
        _ spooled: SpoolFolder.Erasure,
        startedAt: Timestamp,
        on connection: isolated PostgresConnection
    ) throws -> DeletionReceipt? {
        let app: PostgresValue = .int(Int64(app.number))
        var counts = DeletionCounts()
        counts["event"] = 0
        counts["feed_post_key"] = 0
        counts["rejected_event"] = 0
        try connection.execute(StoredSQL.waitForWebhookPasses, [app])
        try packed.remove(
            findings.events.flatMap(\.events),
            of: person.keys,
            staysPartly: findings.hasLaterEvents,
            in: self.app.number,
            on: connection
        )
        for (month, events) in findings.events {
            for start in stride(from: 0, to: events.count, by: Self.eventsAtOnce) {
                let doomed = events[start..<min(start + Self.eventsAtOnce, events.count)]
                let (times, ids) = (doomed.map(\.occurredAt.rfc3339), doomed.map(\.id.description))
                counts["event"] += try connection.execute(
                    StoredSQL.deletePersonEvents,
                    [app] + month.bounds + [.textArray(times), .textArray(ids)]
                )
                try eraseDerived(keys: [], events: ids, &counts, on: connection)
                try connection.execute("select keep_event_keys($1, $2::text[]::uuid[])", [app, .textArray(ids)])
                let posts = doomed.filter { $0.type == EventType.feedPost.rawValue && $0.postID != nil }
                counts["feed_post_key"] += try connection.execute(
                    StoredSQL.deletePersonPosts,
                    [app, .textArray(posts.compactMap(\.postID)), .textArray(posts.map(\.id.description))]
                )
            }
        }
        let ids = person.keys.flatMap { [$0.id, $0.text] }
        let hidden = try connection.execute(StoredSQL.hideInChangeLog, [app, .textArray(ids)])
        if hidden > 0 { counts["change_log"] = hidden }
        counts["rejected_event"] = try deleteDeadLetters(findings.deadLetters, on: connection)
        try eraseDerived(keys: person.keys.map(\.text), events: [], &counts, on: connection)
        try replaceLinks(of: person, by: findings.claims, &counts, on: connection)
        counts["spooled_event"] = spooled.events
        counts["spooled_rejected_event"] = spooled.rejections
        counts["spooled_unreadable_request"] = spooled.unreadable
        guard counts.total > 0 else { return nil }
        // Without the person's ids.
        try connection.log(.deletePerson, in: self.app.number)
        return try DeletionReceiptStore.keep(
            .person,
            appID: self.app.profile.id,
            startedAt: startedAt,
            counts: counts,
            on: connection
        )
    }

    private func eraseDerived(
        keys: [String],
        events: [String],
        _ counts: inout DeletionCounts,
        on connection: isolated PostgresConnection
    ) throws {
        for table in StoredTable.all {
            guard case .derived(let erase, _) = table.content else { continue }
            let parameters: [PostgresValue] = [.int(Int64(app.number)), .textArray(keys), .textArray(events)]
            counts[table.name] += try connection.execute(erase, parameters)
        }
    }

    private func deleteDeadLetters(_ ids: [EventID], on connection: isolated PostgresConnection) throws -> Int {
        var filter = RejectedEventFilter()
        filter.appNumber = app.number
        filter.ids = ids
        return try connection.execute(StoredSQL.deleteRejectedEvents, filter.parameters)
    }

    /// The last step of the transaction: from here on, writers of events with these devices and clicks wait.
    private func replaceLinks(
        of person: Person,
        by claims: PersonClaims,
        _ counts: inout DeletionCounts,
        on connection: isolated PostgresConnection
    ) throws {
        let number: PostgresValue = .int(Int64(app.number))
        counts["device_link"] = try connection.execute(
            StoredSQL.deleteDeviceLinks,
            [number, .textArray(person.ids(.device))]
        )
        counts["click_link"] = try connection.execute(
            StoredSQL.deleteClickLinks,
            [number, .textArray(person.ids(.click))]
        )
        try claims.insertLinks(in: app.number, on: connection)
    }
}
