import Events
import Time
@testable import Reporting
import Testing
import RandomTesting
@testable import Timelines

@Suite("Changed stories")
struct ChangedStoriesTests {
    private static let story = EventID(high: 1, low: 2)

    @Test(arguments: TestSeeds.seeds(40)) func tellTheLatestPost(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var stories = ChangedStories()
        #expect(stories.refs(of: Self.story, at: Timestamp(microseconds: 0)) == nil)
        stories.add(story: Self.story)
        // Some have the same time.
        let times = (0..<Int(random.next() % 12)).map { _ in Int64(random.next() % 10) }.sorted()
        for (number, time) in times.enumerated() {
            let post = ChangedStories.Post(
                time: Timestamp(microseconds: time),
                id: EventID(high: 0, low: UInt64(number)),
                refs: Code(rawValue: Int32(number))
            )
            stories.add(post, to: Self.story)
        }
        for time in -1...10 as ClosedRange<Int64> {
            let latest = times.lastIndex { $0 <= time }
            let refs = stories.refs(of: Self.story, at: Timestamp(microseconds: time))
            #expect(refs == latest.map { Code(rawValue: Int32($0)) } ?? Code.none, "seed \(seed), \(time)")
        }
    }
}
