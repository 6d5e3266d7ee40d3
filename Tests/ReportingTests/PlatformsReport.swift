import Events
@testable import Reporting
@testable import Timelines

/// People by platform: the worked example of docs/architecture.md, which quotes it.
struct PlatformsReport: Report {
    static let name = "platforms"
    static let summary = "People by the platform of their events."
    static let parameters: [ReportParameter] = []
    static let columns: [ReportColumn] = [
        .text("platform", "`ios`, `android`, `web` or `desktop`."),
        .integer("people", unit: "people", "Distinct people with an event of the platform in the range."),
    ]

    init(reading parameters: inout ParameterReader) throws(ReportError) {}

    func query(in range: ReportRange) -> TimelineQuery {
        TimelineQuery(Set(EventType.allCases), in: range)
    }

    func makeFold(_ run: ReportRun) -> PlatformsFold {
        PlatformsFold(range: run.range)
    }
}

struct PlatformsFold: ReportFold {
    let range: ReportRange
    private var people = Array(repeating: 0, count: Platform.allCases.count)

    init(range: ReportRange) {
        self.range = range
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        guard person.isPerson else { return }
        var platforms: Set<Platform> = []
        for position in person.events.indices where range.contains(person.events[position].occurredAt) {
            if let platform = person.events[position].platform { platforms.insert(platform) }
        }
        for platform in platforms { people[platform.position] += 1 }
    }

    mutating func merge(_ other: PlatformsFold) {
        for index in people.indices { people[index] += other.people[index] }
    }

    consuming func finish() -> [[ReportCell]] {
        Platform.allCases.map { [.text($0.rawValue), .integer(Int64(people[$0.position]))] }
    }
}
