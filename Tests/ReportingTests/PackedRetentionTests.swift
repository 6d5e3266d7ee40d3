import Dispatch
import Events
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Synchronization
import Testing
import Time
@testable import Timelines

/// Old events are removed while others are stored and packed. Afterwards the segments equal the events.
@Suite("Removal of old events while others store and pack")
struct PackedRetentionTests {
    private typealias E = OracleEvents

    /// An app with an old event, a recent one and a touch of an old post.
    private struct Base: Sendable {
        let app: App
        let pool: PostgresPool
        let writer: EventWriter

        var packer: TimelinePacker { TimelinePacker(app: app, pool: pool) }

        func store(_ events: [Event], in other: App? = nil) async throws {
            try await writer.store(events, of: other ?? app, receivedAt: E.time(100 * E.day))
        }

        /// Packs all stored events.
        func pack(_ other: App? = nil) async throws {
            try await pool.passHorizon()
            try await TimelinePacker(app: other ?? app, pool: pool).pack()
        }

        func count(_ sql: String) async throws -> Int {
            try await pool.withConnection { try $0.query(sql)[0].int(0) }
        }

        func expectSame(_ other: App? = nil, _ location: SourceLocation = #_sourceLocation) async throws {
            let check = try await TimelineCheck.run(other ?? app, on: pool)
            #expect(check?.isSame == true, "\(String(describing: check))", sourceLocation: location)
        }

        /// Removes events before a time.
        ///
        /// - Parameters:
        ///   - stage: when this stage begins for the first time, `body` runs, and the removal waits for it.
        ///   - isWhole: whether to remove events of every app, and whole months, too.
        func remove(
            before seconds: Double,
            isWhole: Bool = false,
            at stage: String,
            _ body: @escaping @Sendable () async throws -> Void
        ) async throws {
            let now = E.time(100 * E.day)
            let age = now.microseconds - E.time(seconds).microseconds
            let hasRun = Mutex(false)
            _ = try await RetentionStore(pool: pool, packed: TimelineRemoval()).run(
                RetentionPolicy(events: .microseconds(age)),
                app: isWhole ? nil : app,
                isThorough: true,
                now: now
            ) { progress in
                guard progress.stage.hasPrefix(stage), !hasRun.withLock({ swap(&$0, true) }) else { return }
                let done = DispatchSemaphore(value: 0)
                Task {
                    await #expect(throws: Never.self) { try await body() }
                    done.signal()
                }
                done.wait()
            }
            #expect(hasRun.withLock { $0 }, "no stage \(stage)")
        }

        private func swap(_ value: inout Bool, _ new: Bool) -> Bool {
            defer { value = new }
            return value
        }
    }

    private static let old = E.event(1, at: 0, user: "ann", E.install)
    private static let post = E.event(2, at: 60, user: "ann", E.post(refs: ["gift"], postID: "p", link: "a"))
    private static let recent = E.event(3, at: 40 * E.day, user: "bob", E.install)
    private static let touches = [
        E.event(4, at: 40 * E.day, user: "bob", .inboundLink(E.touch(storyLink: "a"))),
        E.event(5, at: 40 * E.day, user: "eve", .inboundLink(E.touch(postID: "p"))),
    ]
    private static let late = E.event(6, at: 30, user: "eve", E.install)

    private func with(_ events: [Event], _ body: @Sendable (Base) async throws -> Void) async throws {
        try await FigureTesting.with { testing in
            let base = Base(app: try await testing.makeApp("app"), pool: testing.pool, writer: testing.writer)
            try await base.store(events)
            try await body(base)
        }
    }

    /// Events arrive between the deletion of the events and that of their packed copies.
    @Test func removesEventsThatArriveDuringIt() async throws {
        try await with([Self.old, Self.recent]) { base in
            try await base.pack()
            try await base.remove(before: E.day, at: "removing packed events") {
                try await base.store([Self.late, Self.post])
                try await base.pack()
            }
            try await base.expectSame()
            #expect(try await base.count("select count(*) from event") == 1)
            #expect(try await base.count("select count(*) from feed_post_key") == 0)
            #expect(try await base.count("select sum(events) from timeline_segment") == 1)
        }
    }

    /// Events arrive for an app that had nothing old when the removal began.
    @Test(arguments: [false, true]) func leavesNothingOfAnAppThatWasNotPrepared(isWhole: Bool) async throws {
        try await with([Self.recent]) { base in
            try await base.pack()
            // So that the month exists.
            let other = try await AppStore(pool: base.pool).made("other", currency: "USD")
            try await base.store([Self.old], in: other)
            let stage = isWhole ? "dropping" : "deleting old events"
            try await base.remove(before: isWhole ? 30 * E.day : E.day, isWhole: true, at: stage) {
                try await base.store([Self.late, Self.post] + Self.touches)
                try await base.pack()
            }
            if try await base.count("select packed_through from timeline_state where app_number = \(base.app.number)")
                == 0
            {
                try await base.packer.rebuild()
            }
            try await base.expectSame()
        }
    }

    /// Segments are compacted or rebuilt before the posts are gone.
    @Test(arguments: [false, true]) func remembersTheStoriesOfPostsUntilTheyAreGone(isRebuilt: Bool) async throws {
        try await with([Self.old, Self.post, Self.recent] + Self.touches) { base in
            try await base.pack()
            try await base.remove(before: E.day, at: "deleting old events") {
                if isRebuilt {
                    try await base.packer.rebuild()
                } else {
                    try await base.pool.passHorizon(of: "changed_story")
                    try await base.packer.apply()
                }
            }
            try await base.expectSame()
            try await base.pool.passHorizon(of: "changed_story")
            try await base.packer.apply()
            try await base.expectSame()
            #expect(try await base.count("select count(*) from changed_story") == 0)
        }
    }

    /// A post arrives after the stories of the removed posts were noted, gives its refs to packed touches, and is
    /// removed, too.
    @Test(arguments: [false, true]) func remembersTheStoriesOfPostsThatArriveDuringIt(isWhole: Bool) async throws {
        try await with([Self.old, Self.recent]) { base in
            try await base.pack()
            let stage = isWhole ? "dropping" : "deleting old events"
            try await base.remove(before: isWhole ? 30 * E.day : E.day, isWhole: isWhole, at: stage) {
                try await base.store([Self.post] + Self.touches)
                try await base.pack()
            }
            #expect(try await base.count("select count(*) from event where type = 'feed_post'") == 0)
            try await base.expectSame()
        }
    }

    /// An app is packed for the first time while old events are being removed.
    @Test(arguments: ["deleting old events", "removing packed events"])
    func removesEventsOfAnAppPackedDuringIt(stage: String) async throws {
        try await with([Self.old, Self.post, Self.recent] + Self.touches) { base in
            try await base.remove(before: E.day, at: stage) { try await base.pack() }
            try await base.expectSame()
            #expect(try await base.count("select count(*) from event where occurred_at < '2026-01-06Z'") == 0)
        }
    }

    /// A person has no events left. While the person's links are removed, two of the person's devices send events
    /// without a user.
    @Test func keepsLinksOfPeopleWhoReturnDuringIt() async throws {
        let old = [
            E.event(10, at: 0, user: "ann", device: "d1", E.install),
            E.event(11, at: 0, user: "ann", device: "d2", E.install),
        ]
        try await with(old + [Self.recent]) { base in
            try await base.pack()
            try await base.remove(before: E.day, at: "deleting links") {
                try await base.store([
                    E.event(20, at: 40 * E.day, device: "d1", E.install),
                    E.event(21, at: 40 * E.day, device: "d2", E.install),
                ])
                try await base.pack()
            }
            try await base.expectSame()
            #expect(try await base.count("select count(*) from device_link") == 2)
            #expect(try await base.count("select count(*) from link_removal") == 0)
        }
    }
}
