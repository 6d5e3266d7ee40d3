import Events
import InboundLinks
import Time
import Postgres
import Redirects

/// Deletes data that is older than its retention period. No writer waits for it: whole months are detached concurrently
/// and dropped, and the rest goes in small transactions.
struct RetentionRun {
    private static let rowsAtOnce = 5_000
    /// Months whose indexes a run of the daemon rebuilds, so that it is not busy for hours after an upgrade.
    private static let monthsAtOnce = 1

    let policy: RetentionPolicy
    /// Nil: every app.
    let app: App?
    let isThorough: Bool
    let now: Timestamp
    let packed: any PackedTimelines
    let progress: DeletionProgress.Handler

    private var before: Timestamp? { policy.events.map { now.advanced(by: .zero - $0) } }
    private var erasuresBefore: Timestamp? { policy.erasures.map { now.advanced(by: .zero - $0) } }
    private var lettersBefore: Timestamp? { policy.rejectedEvents.map { now.advanced(by: .zero - $0) } }
    private var questionsBefore: Timestamp { now.advanced(by: .zero - QuestionStore.restorable) }
    private var changesBefore: Timestamp { now.advanced(by: .zero - ChangeLog.retention) }
    private var sharesBefore: Timestamp { now.advanced(by: .zero - ShareStore.listed) }
    private var codesBefore: Timestamp { now.advanced(by: .zero - CarryCode.lifetime) }
    private var appNumber: PostgresValue { app.map { .int(Int64($0.number)) } ?? .null }

    func plan(on connection: isolated PostgresConnection) throws -> RetentionPlan {
        var plan = RetentionPlan(before: before, months: [], counts: DeletionCounts())
        if app == nil, let before {
            plan.months = try EventMonth.all(on: connection).filter { $0.to <= before }.map(\.name)
        }
        let times = [before, erasuresBefore, lettersBefore].map { $0.map(Self.value) ?? .null }
        let rows = try connection.query(
            StoredSQL.countOld,
            times + [appNumber] + [questionsBefore, codesBefore, changesBefore, sharesBefore].map(Self.value)
        )
        for row in rows { plan.counts[try row.text(0)] = try row.int(1) }
        return plan
    }

    func run(on connection: isolated PostgresConnection) throws -> DeletionReceipt? {
        let receipt = try connection.withAdvisoryLockIfFree("tributary retention") { try runAlone(on: connection) }
        guard let receipt else { throw RetentionError.isRunning }
        return receipt
    }

    private func runAlone(on connection: isolated PostgresConnection) throws -> DeletionReceipt? {
        let receipt = try deleteOldData(on: connection)
        if app == nil {
            do {
                try EventKeyRenewal(now: now, progress: progress).runIfDue(on: connection)
                try DenseIndexes(now: now, limit: isThorough ? .max : Self.monthsAtOnce, progress: progress)
                    .make(on: connection)
            } catch let error as PostgresError where error.isStatementTimeout {
                // Somebody holds a table for long, for example a dump. The next run continues.
            }
        }
        return receipt
    }

    private func deleteOldData(on connection: isolated PostgresConnection) throws -> DeletionReceipt? {
        let startedAt = Timestamp(microseconds: try connection.query("select clock_timestamp()")[0].timestamp(0))
        var counts = DeletionCounts()
        try LinkRemoval.finishAll(in: app?.number, on: connection)
        if let before, let erasuresBefore {
            try expireDerived(before, &counts, on: connection)
            var hasDropped = false
            if app == nil { hasDropped = try dropWhatWasDetached(&counts, on: connection) }
            let prepared = try prepare(before, on: connection)
            if app == nil, try dropMonths(before, of: prepared, &counts, on: connection) { hasDropped = true }
            for number in prepared.apps {
                try StoringTransactions.retrying {
                    try deleteEvents(before, of: number, prepared, &counts, on: connection)
                }
            }
            for (done, number) in prepared.apps.enumerated() {
                progress(DeletionProgress("removing packed events", done: done, total: prepared.apps.count))
                counts = try StoringTransactions.retrying {
                    try connection.transaction {
                        var counts = counts
                        try packed.remove(before: before, in: number, on: connection)
                        // Events that were packed meanwhile have just gone from the segments, so their rows must go
                        // too. This comes last, because senders of the same posts wait for it.
                        try deleteEvents(before, of: number, prepared, &counts, on: connection)
                        return counts
                    }
                }
            }
            if isThorough || hasDropped {
                try deleteLinks(before, &counts, on: connection)
            }
            counts["erasure"] = try connection.execute(
                StoredSQL.deleteOldErasures,
                [Self.value(erasuresBefore), appNumber]
            )
        }
        if let lettersBefore { try deleteLetters(lettersBefore, &counts, on: connection) }
        let questions = try connection.execute(
            StoredSQL.deleteOldQuestions,
            [Self.value(questionsBefore), appNumber]
        )
        if questions > 0 { counts["question"] = questions }
        let codes = try connection.execute(StoredSQL.deleteOldCodeUses, [Self.value(codesBefore), appNumber])
        if codes > 0 { counts["click_code_use"] = codes }
        let changes = try connection.execute(StoredSQL.deleteOldChanges, [Self.value(changesBefore), appNumber])
        if changes > 0 { counts["change_log"] = changes }
        let shares = try connection.execute(StoredSQL.deleteOldSharedPages, [Self.value(sharesBefore), appNumber])
        if shares > 0 { counts["shared_page"] = shares }
        guard counts.total > 0 else { return nil }
        return try connection.transaction {
            // What the daemon deletes every hour has only receipts.
            if isThorough {
                let deleted = counts.values.map { ($0.name, InspectionValue.number(Int64($0.count))) }
                try connection.log(.prune, in: app?.number, from: deleted)
            }
            return try DeletionReceiptStore.keep(
                .retention,
                appID: app?.profile.id,
                startedAt: startedAt,
                counts: counts,
                on: connection
            )
        }
    }

    private static func value(_ time: Timestamp) -> PostgresValue { .timestamp(microseconds: time.microseconds) }

    private func prepare(
        _ before: Timestamp,
        on connection: isolated PostgresConnection
    ) throws -> RetentionPreparation {
        // Read before the preparation searches for posts: posts that the search misses are of later transactions.
        let horizon = try TransactionHorizon.read(of: app?.number, on: connection)
        let prepared = try apps(on: connection).filter { number in
            try connection.transaction {
                guard try packed.prepareRemoval(before: before, in: number, on: connection) else { return false }
                try connection.execute(StoredSQL.noteRemovedEvents, [.int(Int64(number)), Self.value(before)])
                return true
            }
        }
        return RetentionPreparation(apps: prepared, horizon: horizon)
    }

    private func expireDerived(
        _ before: Timestamp,
        _ counts: inout DeletionCounts,
        on connection: isolated PostgresConnection
    ) throws {
        for table in StoredTable.all {
            guard case .derived(_, let expire) = table.content else { continue }
            counts[table.name] = try connection.execute(expire, [Self.value(before), appNumber])
        }
    }

    // MARK: - Whole months

    /// Drops the months that an interrupted run has detached.
    ///
    /// - Returns: whether there were any.
    private func dropWhatWasDetached(
        _ counts: inout DeletionCounts,
        on connection: isolated PostgresConnection
    ) throws -> Bool {
        for month in try EventMonth.all(on: connection) where month.isDetaching {
            try connection.execute("alter table event detach partition \"\(month.name)\" finalize")
        }
        let names = try connection.query(StoredSQL.selectDetachedMonths).map { try $0.text(0) }
        for name in names { try dropDetached(name, of: nil, &counts, on: connection) }
        return !names.isEmpty
    }

    /// Detaches and drops the months that ended before a time.
    ///
    /// - Parameter prepared: the apps whose packed timelines are prepared.
    /// - Returns: whether there were any.
    private func dropMonths(
        _ before: Timestamp,
        of prepared: RetentionPreparation,
        _ counts: inout DeletionCounts,
        on connection: isolated PostgresConnection
    ) throws -> Bool {
        let months = try EventMonth.all(on: connection).filter { $0.to <= before }
        if !months.isEmpty { try ClusterState.requireRest(connection) }
        for (number, month) in months.enumerated() {
            progress(DeletionProgress("dropping \(month.name)", done: number, total: months.count))
            if connection.isDistributed {
                // Citus knows only the short way, which waits with a lock.
                try LockAttempt.run(on: connection) {
                    try connection.execute("alter table event detach partition \"\(month.name)\"")
                }
            } else {
                // Waits for running reports, and holds no lock meanwhile.
                try connection.execute("alter table event detach partition \"\(month.name)\" concurrently")
            }
            try dropDetached(month.name, of: prepared, &counts, on: connection)
        }
        return !months.isEmpty
    }

    /// - Parameter prepared: nil for a month that an interrupted run has detached.
    private func dropDetached(
        _ name: String,
        of prepared: RetentionPreparation?,
        _ counts: inout DeletionCounts,
        on connection: isolated PostgresConnection
    ) throws {
        // Packing notes the same stories in another order, so one of the two may fail with a deadlock.
        try StoringTransactions.retrying { try prepared?.noteStories(ofMonth: name, on: connection) }
        for row in try connection.query("select app_number, count(*) from \"\(name)\" group by app_number") {
            counts["event"] += try row.int(1)
            let number = Int32(try row.int(0))
            try forgetPosts(of: number, in: name, &counts, on: connection)
            // The app had no old events when the removal was prepared.
            if prepared?.apps.contains(number) != true {
                try connection.transaction { try packed.forget(number, on: connection) }
            }
        }
        try connection.execute("drop table \"\(name)\"")
    }

    /// Deletes the post ids of a month's events of an app.
    private func forgetPosts(
        of app: Int32,
        in month: String,
        _ counts: inout DeletionCounts,
        on connection: isolated PostgresConnection
    ) throws {
        var last = ""
        while true {
            let row = try connection.query(
                Self.forgetPosts(of: month),
                [.int(Int64(app)), .text(last), .int(Int64(Self.rowsAtOnce))]
            )[0]
            counts["feed_post_key"] += try row.int(0)
            guard let post = try row.optionalText(1) else { return }
            last = post
        }
    }

    /// Deletes the post ids of a month's events of the app $1: those after the post $2, at most $3.
    private static func forgetPosts(of month: String) -> String {
        """
        with doomed as (
            select post_id, event_id
            from "\(month)"
            where app_number = $1
                and type = 'feed_post'
                and post_id is not null
                and post_id > $2::text
            order by post_id
            limit $3
        ),
        deleted as (
            delete from feed_post_key
            using doomed
            where feed_post_key.app_number = $1
                and feed_post_key.post_id = doomed.post_id
                and feed_post_key.event_id = doomed.event_id
            returning 1
        )
        select (select count(*) from deleted), (select max(post_id) from doomed)
        """
    }

    // MARK: - Rows

    private func apps(on connection: isolated PostgresConnection) throws -> [Int32] {
        if let app { return [app.number] }
        return try connection.query("select app_number from app order by app_number").map { Int32(try $0.int(0)) }
    }

    private func deleteEvents(
        _ before: Timestamp,
        of number: Int32,
        _ prepared: RetentionPreparation,
        _ counts: inout DeletionCounts,
        on connection: isolated PostgresConnection
    ) throws {
        counts["event"] += 0
        for month in try EventMonth.all(on: connection) where month.from < before {
            let end = min(month.to, before)
            var start = month.from
            while true {
                progress(DeletionProgress("deleting old events", done: counts["event"]))
                let page = try deletePage(from: start, to: end, of: number, prepared, on: connection)
                counts["event"] += page.events
                counts["feed_post_key"] += page.posts
                // The next page starts here, so that it does not read the dead index entries again.
                guard let last = page.last else { break }
                start = last
            }
        }
    }

    private struct DeletedPage {
        var events: Int
        var posts: Int
        /// The time of the last event; nil if there was none.
        var last: Timestamp?
    }

    /// Deletes the oldest events of a range, in one transaction with the notes of their late posts' stories.
    private func deletePage(
        from start: Timestamp,
        to end: Timestamp,
        of number: Int32,
        _ prepared: RetentionPreparation,
        on connection: isolated PostgresConnection
    ) throws -> DeletedPage {
        guard connection.isInTransaction else {
            return try connection.transaction {
                try deletePage(from: start, to: end, of: number, prepared, on: connection)
            }
        }
        let app: PostgresValue = .int(Int64(number))
        let row = try connection.query(
            StoredSQL.deleteOldEvents,
            [app, Self.value(start), Self.value(end), .int(Int64(Self.rowsAtOnce)), .int(prepared.horizon)]
        )[0]
        let (stories, posts) = (try row.textArray(3), try row.textArray(4))
        if !stories.isEmpty || !posts.isEmpty {
            try connection.execute(StoredSQL.insertStories, [app, .textArray(stories), .textArray(posts)])
        }
        return DeletedPage(
            events: try row.int(0),
            posts: try row.int(1),
            last: try row.optionalTimestamp(2).map { Timestamp(microseconds: $0) }
        )
    }

    /// Deletes the links of people who have no events left.
    private func deleteLinks(
        _ before: Timestamp,
        _ counts: inout DeletionCounts,
        on connection: isolated PostgresConnection
    ) throws {
        let apps = try apps(on: connection)
        for (position, number) in apps.enumerated() {
            progress(DeletionProgress("looking for people without events", done: position, total: apps.count))
            try OrphanedLinks(app: number, before: before, packed: packed, progress: progress)
                .remove(&counts, on: connection)
        }
    }

    private func deleteLetters(
        _ before: Timestamp,
        _ counts: inout DeletionCounts,
        on connection: isolated PostgresConnection
    ) throws {
        counts["rejected_event"] = 0
        while true {
            progress(DeletionProgress("deleting rejected events", done: counts["rejected_event"]))
            let count = try connection.execute(
                StoredSQL.deleteOldRejectedEvents,
                [Self.value(before), appNumber, .int(Int64(Self.rowsAtOnce))]
            )
            counts["rejected_event"] += count
            if count < Self.rowsAtOnce { return }
        }
    }
}
