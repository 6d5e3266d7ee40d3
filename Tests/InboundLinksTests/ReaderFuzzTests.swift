import Foundation
import InboundLinks
import Testing
import RandomTesting

/// Mutated vectors: every text gives an answer, always the same one, and never a planted secret.
///
/// `TRIBUTARY_FUZZ_ITERATIONS` sets another number of rounds.
@Suite("Reader under mutation")
struct ReaderFuzzTests {
    private static let token = "Zq7PLANTEDx9Secret"

    @Test func everyMutationIsReadAndKeepsItsSecret() {
        let asked = ProcessInfo.processInfo.environment["TRIBUTARY_FUZZ_ITERATIONS"].flatMap { Int($0) }
        let count = asked ?? 10_000 * Int(TestSeeds.samples)
        let seed = TestSeeds.first
        let mutator = LinkMutator(seeds: (Vector.inboundLinks + Vector.feedPosts).map { Array($0.input.utf8) })
        let workers = 2
        DispatchQueue.concurrentPerform(iterations: workers) { worker in
            var failures = 0
            for round in stride(from: worker, to: count, by: workers) {
                var generator = SeededRandom(seed: seed &+ UInt64(round) &* 0x5851_F42D_4C95_7F2D)
                let input = mutator.mutation(planting: Self.token, using: &generator)
                let problems = Self.problems(with: input, round: round / workers)
                guard !problems.isEmpty else { continue }
                Issue.record("seed \(seed), round \(round): \(problems) in \(input.debugDescription)")
                failures += 1
                if failures == 5 { return }
            }
        }
    }

    /// Costly checks run in one of four rounds.
    private static func problems(with input: String, round: Int) -> [String] {
        var problems: [String] = []
        let reading = LinkReader.read(input)
        if describe(reading).contains(token) { problems.append("the link leaks") }
        switch round % 4 {
        case 0:
            if reading != LinkReader.read(input) { problems.append("another reading the second time") }
            let post = FeedPostReader.read(input, dialog: .share)
            if "\(post)".contains(token) { problems.append("the callback leaks") }
        case 1:
            let stated = LinkReader.read(LinkOverrides(targetURL: input, refs: [input]))
            if describe(.inboundLink(stated)).contains(token) { problems.append("the stated target leaks") }
        case 2:
            // Stored links are read again when a rule changes.
            let redacted = Redaction.redact(input)
            if describe(LinkReader.read(redacted)).contains(token) { problems.append("the second reading leaks") }
        default:
            let redacted = Redaction.redact(input)
            if redacted.contains(token) { problems.append("the text leaks") }
            let normalised = StoryLink.normalised(redacted)
            if normalised.contains(token) { problems.append("the story link leaks") }
            if StoryLink.normalised(normalised) != normalised { problems.append("the story link is not stable") }
        }
        return problems
    }

    private static func describe(_ reading: LinkReading) -> String {
        InspectionValue.object(reading.inspection)
    }
}
