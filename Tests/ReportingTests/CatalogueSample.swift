@testable import Reporting
import Storage
import Testing
import Time

/// How every report can be asked, as its description in the catalogue says.
struct CatalogueSample: Sendable, CustomTestStringConvertible {
    var report: String
    var parameters: [(name: String, value: String)]

    /// - Parameter more: further parameters.
    func request(
        of app: App,
        _ more: [(name: String, value: String)] = [],
        now: Timestamp = OracleEvents.time(10 * OracleEvents.day)
    ) throws(ReportError) -> ReportRequest {
        try ReportRequest.parse(name: report, parameters: parameters + more, origin: .http, app: app, now: now)
    }

    var testDescription: String { ([report] + parameters.map { "\($0.name)=\($0.value)" }).joined(separator: " ") }

    /// Every report in the shortest way, by its examples, and with each value that a parameter is chosen from. Values
    /// that need another parameter are left out.
    static let all: [CatalogueSample] = ReportCatalogue.descriptions.flatMap { report in
        let examples = report.examples.map { parameters(of: $0, report) }
        let values = report.parameters.flatMap { parameter in
            parameter.allowed.map { shortest(report) + [(name: parameter.name, value: $0)] }
        }
        return ([shortest(report)] + examples + values.filter { isTaken($0, by: report) })
            .map { CatalogueSample(report: report.name, parameters: $0) }
    }

    /// Every report in the shortest way.
    static let shortest = ReportCatalogue.descriptions.map {
        CatalogueSample(report: $0.name, parameters: shortest($0))
    }

    /// What a report cannot be asked for without, as in its first example.
    private static func shortest(_ report: ReportDescription) -> [(name: String, value: String)] {
        let required = Set(report.parameters.filter(\.isRequired).map(\.name))
        return parameters(of: report.examples.first ?? "", report).filter { required.contains($0.name) }
    }

    private static func isTaken(_ parameters: [(name: String, value: String)], by report: ReportDescription) -> Bool {
        (try? CatalogueSample(report: report.name, parameters: parameters).request(of: Asking.app())) != nil
    }

    /// The parameters of an example, which is written as on the command line.
    private static func parameters(
        of example: String,
        _ report: ReportDescription
    ) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        for word in example.split(separator: " ") {
            if word.hasPrefix("--") {
                let name = String(word.dropFirst(2))
                let implied = report.parameters.first { $0.name == name }?.impliedValue
                parameters.append((name: name, value: implied ?? "true"))
            } else if !parameters.isEmpty {
                parameters[parameters.count - 1].value = String(word)
            }
        }
        return parameters
    }
}
