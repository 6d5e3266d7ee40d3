import Events
import Time
import Timelines

/// Posts by ref and composer.
struct PostsReport: PeriodReport {
    static let name = "posts"
    static let summary = "Feed posts by ref and composer, with their outcomes."
    static let examples = ["--by day", "--from yesterday --to today --format csv"]
    static let parameters: [ReportParameter] = [.byPeriod]
    static let columns: [ReportColumn] =
        [
            .text("ref", "The category of the post; `(none)` counts posts without one, `total` counts all."),
            .text(
                "composer",
                "`feed_dialog`, `share_dialog`, `open_graph`, `stories`, `request_dialog` or `(none)`; empty for `total`."
            ),
        ] + ReportColumn.posts(counted: "posted")

    let period: PeriodParameter

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        period = try PeriodParameter(reading: &parameters)
    }

    func query(in range: ReportRange) -> TimelineQuery {
        TimelineQuery([.feedPost], in: range, needs: [.refs])
    }

    func makeFold(_ run: ReportRun) -> PostsFold {
        PostsFold(ReportPeriods(period.length, run), dictionary: run.dictionary)
    }
}

struct PostsFold: ReportFold {
    /// All composers, and nil for posts without one.
    private static let composers: [Composer?] = Composer.allCases + [nil]

    /// The table of one period.
    private struct Table {
        /// By ref, from the number for no ref on, then by composer.
        var counts = RowsByCode(empty: PostCounts())
        var total = PostCounts()
    }

    private let periods: ReportPeriods
    private let dictionary: TimelineDictionary
    /// By period.
    private var tables: [Table]
    private var people = 0

    init(_ periods: ReportPeriods, dictionary: TimelineDictionary) {
        self.periods = periods
        self.dictionary = dictionary
        tables = Array(repeating: Table(), count: periods.count)
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        people += 1
        let number = person.isPerson ? people : nil
        for position in person.events.indices {
            let event = person.events[position]
            guard let outcome = event.outcome, let period = periods.position(of: event.occurredAt) else { continue }
            tables[period].total.add(outcome, by: number)
            let composer = event.composer?.position ?? Self.composers.count - 1
            let refs = dictionary.refs(of: event.refs)
            if refs.isEmpty { tables[period].counts.update(composer) { $0.add(outcome, by: number) } }
            for ref in refs {
                let index = (ref.index + 1) * Self.composers.count + composer
                tables[period].counts.update(index) { $0.add(outcome, by: number) }
            }
        }
    }

    mutating func merge(_ other: PostsFold) {
        for period in tables.indices {
            for (number, counts) in other.tables[period].counts.rows {
                tables[period].counts.update(number) { $0 += counts }
            }
            tables[period].total += other.tables[period].total
        }
    }

    consuming func finish() -> [[ReportCell]] {
        tables.indices.flatMap { period in
            let first = periods.cells(at: period)
            return rows(of: tables[period]).map { first + $0 }
        }
    }

    private func rows(of table: Table) -> [[ReportCell]] {
        let rows = table.counts.rows
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
            + [[.text(ReportNames.total), .empty] + table.total.cells]
    }
}
