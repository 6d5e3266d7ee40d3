import Events
import JSONReading

/// `GET /openapi.yaml`: the file `openapi.yaml` beside this one, with what is declared elsewhere put in: a path for
/// each report, a schema for each type of events, and every code. Tests compare it with ``Route``.
enum OpenAPIDescription {
    /// The path that stands for the path of each report.
    private static let reportPath = "/v1/reports/{name}"

    static func text(reports: [ReportOffer]) -> String {
        var lines: [String] = []
        var report: [String] = []
        for line in TextFiles.openapiYAML.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line == "  \(reportPath):" {
                report = [line]
            } else if !report.isEmpty, line.hasPrefix("    ") {
                report.append(line)
            } else {
                for offer in reports { lines += report.flatMap { self.lines($0, of: offer) } }
                report = []
                lines += self.lines(line)
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The paths of the description, for a pattern of ``Route``.
    static func paths(of pattern: String, reports: [ReportOffer]) -> [String] {
        pattern == reportPath ? reports.map { pattern.replacing("{name}", with: $0.name) } : [pattern]
    }

    private static func lines(_ line: String, of report: ReportOffer) -> [String] {
        if line.contains("<parameters>") { return report.parameters.map { "        - " + schema(of: $0) } }
        let name = report.name.split(separator: "_").map(\.capitalized).joined()
        return [
            line.replacing("{name}", with: report.name).replacing("<Name>", with: name)
                .replacing("<summary>", with: JSONWriter.quoted(report.summary))
        ]
    }

    private static func schema(of parameter: ReportOffer.Parameter) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("name", parameter.name)
            json.member("in", "query")
            if parameter.isRequired { json.member("required", true) }
            json.member("description", parameter.summary)
            json.key("schema")
            json.object { json in
                switch parameter.kind {
                case .text:
                    json.member("type", "string")
                    json.member("minLength", 1)
                case .flag: json.member("type", "boolean")
                case .count:
                    json.member("type", "integer")
                    json.member("minimum", 1)
                case .word(let words):
                    json.member("type", "string")
                    json.member("enum", words)
                case .repeated:
                    json.member("type", "array")
                    json.key("items")
                    json.object { $0.member("type", "string") }
                }
            }
        }
        return json.text
    }

    /// - Parameter line: of the file. One with placeholders is repeated for each code or type.
    private static func lines(_ line: String) -> [String] {
        if line.contains("<events>") { return EventSchemas.lines }
        if line.contains("<code>") {
            return ProblemCode.allCases.map { code in
                line.replacing("<code>", with: code.rawValue)
                    .replacing("<status>", with: "\(code.status)")
                    .replacing("<title>", with: code.title)
            }
        }
        if line.contains("<rejection>") {
            return Rejection.Code.allCases.map { line.replacing("<rejection>", with: $0.rawValue) }
        }
        return [line]
    }
}

extension Substring {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
