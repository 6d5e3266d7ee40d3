import Foundation

/// The last output of the demo: what was sent and answered, where the files are, and what to do next.
struct DemoSummary {
    var tally: DemoTally
    /// Of short links.
    var visits: [DemoVisitor.Kind: Int]
    var took: Duration
    var people: Int
    var days: Int
    var folder: String
    var files: [String]
    var writeKey: String
    var readKey: String
    /// The path by which this program was called.
    var program: String

    var text: String {
        let seconds = Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18
        let rate = Int(Double(tally.events) / max(seconds, 0.001))
        let codes = tally.rejected.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let reasons = codes.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let retries = tally.retries == 0 ? "" : ", \(Self.grouped(tally.retries)) of them sent again after a wait"
        let clicks = visits[.click] ?? 0
        let others = visits.values.reduce(0, +) - clicks
        return """

            Sent      \(Self.grouped(tally.events)) events of \(Self.grouped(people)) people\
            \(days == 1 ? "" : " a day at the last of \(days) days") in \
            \(Self.grouped(tally.requests)) requests, \(Self.grouped(tally.bytes / 1_024)) KiB\(retries)
            Answered  \(Self.grouped(tally.accepted)) accepted, \(Self.grouped(tally.duplicates)) duplicates, \
            \(Self.grouped(tally.rejectedCount)) rejected (\(reasons))
            Followed  \(DemoShortLink.all.count) short links \(Self.grouped(clicks + others)) times: \
            \(Self.grouped(clicks)) clicks; \(Self.grouped(others)) previews, bots and the like, which are no touches
            Took      \(String(format: "%.1f", seconds)) s: \(Self.grouped(rate)) events a second, each committed in \
            PostgreSQL before its answer
            Files     \(files.map { "\(folder)/\($0)" }.joined(separator: " "))

            Next
              write key  \(writeKey)
              read key   \(readKey)
              Keys are shown once; '\(program) app add-key demo --scope read' creates another.

              Print more reports:
                \(program) report refs --app demo
                \(program) report funnel --app demo --by ref --steps touch,install,authentication,conversion
              See the dashboard: start tributaryd ('make run' builds it first), open http://127.0.0.1:8080/ in a browser, and
              sign in with the read key.
              Send an event of your own:
                curl -H 'Authorization: Bearer \(writeKey)' -d user_id=alice \\
                  --data-urlencode 'url=https://apps.facebook.com/recipebox/?fb_source=search' \\
                  http://127.0.0.1:8080/v1/inbound-links
                curl -H 'Authorization: Bearer \(readKey)' 'http://127.0.0.1:8080/v1/reports/channels?format=csv'
            """
    }

    /// `12,345`
    private static func grouped(_ number: Int) -> String {
        number.formatted(.number.locale(Locale(identifier: "en_US")))
    }
}
