import Reporting
import Storage
import Time

extension ReportCatalogue {
    /// The parameter of a report; nil if it has none of that name.
    static func parameter(_ name: String, of report: String) -> ReportParameter? {
        descriptions.first { $0.name == report }?.parameters.first { $0.name == name }
    }

    /// Whether a report shows all groups because it gets no limit, and takes one.
    static func showsAllGroups(in address: ReportAddress) -> Bool {
        func given(_ name: String) -> String? { address.parameters.first { $0.name == name }?.value }
        guard let limit = parameter("limit", of: address.report), limit.defaultValue == nil, given("limit") == nil
        else { return false }
        return !limit.needsProperty || given("by").map { $0 != "none" && CalendarPeriod(rawValue: $0) == nil } ?? false
    }

    /// The columns that a report can have.
    static func columns(of report: String) -> [ReportColumn] {
        descriptions.first { $0.name == report }?.columns ?? []
    }

    /// The columns of `refs` that are of posts and not of touches: those that `channels` does not have.
    static var columnsOfPosts: Set<String> {
        Set(columns(of: "refs").map(\.name)).subtracting(columns(of: "channels").map(\.name)).subtracting(["ref"])
    }

    /// The values that a form offers for a parameter: those that shells offer, for `conversion:NAME` the app's own
    /// goals, and the properties that the app has declared.
    static func choices(_ name: String, of report: String, in app: App, goals: [String] = []) -> [String] {
        (parameter(name, of: report)?.offered ?? []).flatMap { value in
            value.hasSuffix(":NAME") ? goals.map { value.dropLast(4) + $0 } : [value]
        } + properties(of: app) { property in accepts([(name, property)], report, app) }
    }

    /// The properties of an app by which a report can be filtered.
    static func filteringProperties(of report: String, in app: App) -> [String] {
        properties(of: app) { property in
            let condition = ("where", "\(property)=x")
            // A comparison is none without something to compare.
            let compared = [("by", "ref"), ("a", "x"), ("b", "y")]
            return accepts([condition], report, app) || accepts(compared + [condition], report, app)
        }
    }

    private static func properties(of app: App, where isMeant: (String) -> Bool) -> [String] {
        app.properties.map(\.name).filter(isMeant)
    }

    /// Whether a report can mean a parameter.
    private static func accepts(_ parameters: [(name: String, value: String)], _ report: String, _ app: App) -> Bool {
        let request = try? ReportRequest.parse(
            name: report,
            parameters: parameters,
            origin: .http,
            app: app,
            now: .now
        )
        return request != nil
    }
}
