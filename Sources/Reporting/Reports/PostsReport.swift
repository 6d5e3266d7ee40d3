import Events
import InboundLinks

/// Posts by ref and the way they were composed.
struct PostsReport: Report {
    static let name = "posts"
    static let summary = "Feed posts by ref and composer, with what became of them."
    static let parameters: [ReportParameter] = []
    static let columns: [ReportColumn] =
        [
            .text("ref", "The category of post; `(none)` stands for posts without one, `total` for all."),
            .text(
                "composer",
                "`feed_dialog`, `share_dialog`, `open_graph`, `stories`, `request_dialog` or `(none)`; empty for `total`."
            ),
        ] + ReportColumn.posts(counted: "posted")

    init(reading parameters: inout ParameterReader) throws(ReportError) {}

    func demand(in range: ReportRange) -> TimelineDemand {
        TimelineDemand(
            types: [.feedPost],
            touchesFrom: range.from,
            eventsFrom: range.from,
            through: range.to,
            needsRefs: true
        )
    }

    func makeFold(_ run: ReportRun) -> PostsFold {
        PostsFold(run)
    }
}

struct PostsFold: ReportFold {
    /// One for each composer, and one for posts without.
    private static let composers: [Composer?] = Composer.allCases + [nil]

    private let range: ReportRange
    private let dictionary: TimelineDictionary
    /// By ref, then by composer. The first ref is none.
    private var counts = Array(repeating: PostCounts(), count: composers.count)
    private var total = PostCounts()
    private var people = 0

    init(_ run: ReportRun) {
        range = run.range
        dictionary = run.dictionary
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        people += 1
        let number = person.isPerson ? people : nil
        for position in person.events.indices where range.contains(person.events[position].occurredAt) {
            let event = person.events[position]
            guard let outcome = event.outcome else { continue }
            total.add(outcome, by: number)
            let composer = event.composer?.position ?? Self.composers.count - 1
            let refs = dictionary.refs(of: event.refs)
            if refs.isEmpty { counts[composer].add(outcome, by: number) }
            for ref in refs {
                let index = (ref.index + 1) * Self.composers.count + composer
                while counts.count <= index { counts.append(PostCounts()) }
                counts[index].add(outcome, by: number)
            }
        }
    }

    mutating func merge(_ other: PostsFold) {
        while counts.count < other.counts.count { counts.append(PostCounts()) }
        for index in other.counts.indices { counts[index] += other.counts[index] }
        total += other.total
    }

    consuming func finish() -> [[ReportCell]] {
        let rows = counts.enumerated()
            .filter { !$0.element.isZero }
            .map { index, counts in
                let ref = index / Self.composers.count - 1
                return (
                    hasRef: ref >= 0,
                    ref: ref >= 0 ? dictionary.refs.text(of: Code(rawValue: Int32(ref))) : ReportNames.none,
                    composer: Self.composers[index % Self.composers.count]?.rawValue ?? ReportNames.none,
                    counts: counts
                )
            }
            .sorted { first, second in
                if first.hasRef != second.hasRef { return first.hasRef }
                if first.counts.posted != second.counts.posted { return first.counts.posted > second.counts.posted }
                let isSameRef = first.ref.utf8.elementsEqual(second.ref.utf8)
                return isSameRef ? precedes(first.composer, second.composer) : precedes(first.ref, second.ref)
            }
        return rows.map { [.text($0.ref), .text($0.composer)] + $0.counts.cells }
            + [[.text(ReportNames.total), .empty] + total.cells]
    }
}
