import Events
import Time
@testable import Reporting
import Testing
import InboundLinks
@testable import Timelines

/// One person's timeline, in hours after an arbitrary instant.
@Suite("Person timeline")
struct PersonTimelineTests {
    private func at(_ hours: Double) -> Timestamp { OracleEvents.time(hours * 3600) }

    private func event(
        _ type: EventType,
        _ hours: Double,
        id: UInt64 = 0,
        _ change: (inout TimelineEvent) -> Void = { _ in }
    )
        -> TimelineEvent
    {
        var event = TimelineEvent(occurredAt: at(hours), id: EventID(high: 0, low: id), type: type)
        if type == .inboundLink || type == .linkClick { event.channel = .storyLinks }
        change(&event)
        return event
    }

    private func timeline(_ events: [TimelineEvent], isPerson: Bool = true) -> PersonTimeline {
        var timeline = PersonTimeline()
        timeline.begin(keyText: isPerson ? "uone" : nil)
        events.forEach { timeline.append($0) }
        timeline.finish()
        return timeline
    }

    private func countedHours(_ hours: [Double]) -> [Timestamp] {
        let timeline = timeline(hours.enumerated().map { event(.install, $1, id: UInt64($0)) })
        return timeline.countedInstalls.map { timeline.events[$0].occurredAt }
    }

    @Test func ordersEventsByTimeAndThenByID() {
        let timeline = timeline([
            event(.conversion, 2, id: 1), event(.conversion, 1, id: 9), event(.conversion, 2, id: 0),
        ])
        #expect(timeline.events.map(\.id.low) == [9, 0, 1])
    }

    @Test func countsTheFirstInstallAndThoseMoreThanNinetyDaysAfterTheLastCounted() {
        let days = 24.0
        #expect(countedHours([0]) == [at(0)])
        #expect(countedHours([0, 90 * days]) == [at(0)])
        #expect(countedHours([0, 90 * days + 1e-6]) == [at(0), at(90 * days + 1e-6)])
        // The re-install of day 60 does not extend the 90 days.
        #expect(countedHours([0, 60 * days, 100 * days]) == [at(0), at(100 * days)])
        #expect(countedHours([0, 100 * days, 150 * days, 191 * days]) == [at(0), at(100 * days), at(191 * days)])
    }

    @Test func doesNotCountAnonymousInstalls() {
        #expect(timeline([event(.install, 0)], isPerson: false).countedInstalls.isEmpty)
    }

    @Test(
        arguments: [
            // When the person installed, when the deferred link came, and its time.
            ([], 30, 30), ([30], 30, 30), ([6], 30, 6), ([5.999], 30, 30), ([10, 11], 30, 10), ([31], 30, 30),
        ] as [([Double], Double, Double)]
    )
    func datesADeferredLinkByTheCountedInstallOfTheDayBefore(installs: [Double], link: Double, expected: Double) {
        let timeline = timeline(
            installs.map { event(.install, $0) } + [event(.inboundLink, link, id: 9) { $0.deferred = true }]
        )
        #expect(timeline.touches.map(\.time) == [at(expected)])
    }

    @Test func believesTheClickOfADeferredLinkAndOfNoOther() {
        let timeline = timeline([
            event(.install, 29),
            event(.inboundLink, 30, id: 1) {
                $0.deferred = true
                $0.clickedAt = at(-500)
            },
            event(.inboundLink, 31, id: 2) { $0.clickedAt = at(-400) },
        ])
        #expect(timeline.touches.map(\.time) == [at(-500), at(31)])
        #expect(timeline.touches.map(\.id.low) == [1, 2])
    }

    @Test func readsAnInstallWithALinkAsADeferredTouchToo() {
        let timeline = timeline([event(.install, 3) { $0.channel = .search }])
        #expect(timeline.countedInstalls == [0])
        #expect(timeline.touches.map(\.isDeferred) == [true])
        #expect(timeline.touches.map(\.isLinkClick) == [false])
        #expect(timeline.touches.map(\.time) == [at(3)])
    }

    @Test func forgetsThePersonBefore() {
        var timeline = timeline([event(.install, 0) { $0.channel = .search }])
        timeline.begin(keyText: nil)
        timeline.finish()
        #expect(timeline.events.isEmpty && timeline.touches.isEmpty && timeline.countedInstalls.isEmpty)
        #expect(!timeline.isPerson)
    }

    // MARK: Credit

    private func lastTouch(_ touches: [TimelineEvent], at hours: Double, lookback: Double, isInstall: Bool = false)
        -> UInt64?
    {
        timeline(touches).lastTouch(
            before: CreditedEvent(position: 0, time: at(hours), isInstall: isInstall, value: 0),
            within: Int64(lookback * 3_600_000_000)
        )?.id.low
    }

    @Test func creditsTheLastTouchOfTheLookbackBothEndsIncluded() {
        let touches = [event(.inboundLink, 0, id: 1), event(.linkClick, 10, id: 2), event(.inboundLink, 20, id: 3)]
        #expect(lastTouch(touches, at: 20, lookback: 5) == 3)
        #expect(lastTouch(touches, at: 19.999, lookback: 10) == 2)
        #expect(lastTouch(touches, at: 30, lookback: 10) == 3)
        #expect(lastTouch(touches, at: 30.001, lookback: 10) == nil)
        #expect(lastTouch(touches, at: -1, lookback: 10) == nil)
    }

    @Test func creditsTheGreaterIDOfTwoTouchesAtOneInstant() {
        #expect(lastTouch([event(.inboundLink, 1, id: 8), event(.linkClick, 1, id: 7)], at: 2, lookback: 5) == 8)
    }

    @Test func creditsNoInstallToABookmark() {
        let touches = [event(.inboundLink, 1, id: 1), event(.inboundLink, 2, id: 2) { $0.channel = .bookmarks }]
        #expect(lastTouch(touches, at: 3, lookback: 5, isInstall: true) == 1)
        #expect(lastTouch(touches, at: 3, lookback: 5) == 2)
        #expect(lastTouch(touches, at: 3, lookback: 1, isInstall: true) == nil)
    }
}
