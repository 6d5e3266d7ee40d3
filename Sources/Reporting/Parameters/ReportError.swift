import Text

/// Why a request for a report is invalid.
package enum ReportError: Error, Equatable, Sendable {
    /// Wrong usage (exit status 64, HTTP 400).
    ///
    /// - message: a sentence for the user, with the closest valid name for a misspelt one.
    /// - field: the invalid parameter; `report` for the report's name.
    /// - allowed: the allowed values; empty if the value is not chosen from a list.
    case usage(message: UsageMessage, field: String, allowed: [String] = [])
}

extension ReportError: CustomStringConvertible {
    package var description: String { description(for: .http) }

    package func description(for origin: RequestOrigin) -> String {
        switch self {
        case .usage(let message, _, let allowed):
            message.text(for: origin) + (allowed.isEmpty ? "" : " (one of: \(allowed.joined(separator: ", ")))")
        }
    }
}

extension ReportError {
    /// A name that is not among the allowed ones.
    static func unknown(_ what: String, _ name: String, field: String, allowed: [String]) -> ReportError {
        .usage(
            message: "\(parameter: field): unknown \(what) '\(name)'\(hint(for: name, allowed))",
            field: field,
            allowed: allowed
        )
    }

    /// The same for what is no parameter, such as the report's name.
    static func unknown(_ what: String, _ name: String, allowed: [String]) -> ReportError {
        .usage(message: "unknown \(what) '\(name)'\(hint(for: name, allowed))", field: what, allowed: allowed)
    }

    private static func hint(for name: String, _ allowed: [String]) -> String {
        closestName(to: name, among: allowed).map { "; did you mean '\($0)'?" } ?? ""
    }

    static func invalid(_ parameter: String, _ problem: String, allowed: [String] = []) -> ReportError {
        .usage(message: "\(parameter: parameter): \(problem)", field: parameter, allowed: allowed)
    }

    /// `b` of a report that compares two values is the same as `a`.
    static func isA(_ name: String) -> ReportError {
        .usage(message: "\(parameter: "b"): '\(name)' is the same as \(parameter: "a")", field: "b")
    }

    /// - Parameter example: a value to try.
    static func required(_ parameter: String, _ what: String, example: String) -> ReportError {
        .usage(
            message:
                "\(parameter: parameter) is required: \(what), for example \(parameter: parameter, value: example)",
            field: parameter
        )
    }
}
