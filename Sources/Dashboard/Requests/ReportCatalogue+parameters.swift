import Reporting

extension ReportCatalogue {
    /// The parameter of a report; nil if it has none of that name.
    static func parameter(_ name: String, of report: String) -> ReportParameter? {
        descriptions.first { $0.name == report }?.parameters.first { $0.name == name }
    }

    /// The columns that a report can have.
    static func columns(of report: String) -> [ReportColumn] {
        descriptions.first { $0.name == report }?.columns ?? []
    }

    /// The columns of `refs` that are of posts and not of touches: those that `channels` does not have.
    static var columnsOfPosts: Set<String> {
        Set(columns(of: "refs").map(\.name)).subtracting(columns(of: "channels").map(\.name)).subtracting(["ref"])
    }

    /// The values that a form offers for a parameter: those that shells offer, and for `conversion:NAME` the app's own
    /// goals.
    static func choices(_ name: String, of report: String, goals: [String] = []) -> [String] {
        (parameter(name, of: report)?.offered ?? []).flatMap { value in
            value.hasSuffix(":NAME") ? goals.map { value.dropLast(4) + $0 } : [value]
        }
    }
}
