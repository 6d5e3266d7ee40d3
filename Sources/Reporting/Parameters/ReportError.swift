import Text

/// Why a request for a report is invalid.
package enum ReportError: Error, Equatable, Sendable {
    /// Wrong usage (exit status 64, HTTP 400).
    ///
    /// - message: a sentence for the user, with the closest valid name for a misspelt one.
    /// - field: the invalid parameter; `report` for the report's name.
    /// - allowed: the allowed values; empty if the value is not chosen from a list.
    case usage(message: String, field: String, allowed: [String])
}

extension ReportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .usage(let message, _, let allowed):
            allowed.isEmpty ? message : "\(message) (one of: \(allowed.joined(separator: ", ")))"
        }
    }
}

extension ReportError {
    /// A name that is not among the allowed ones.
    static func unknown(_ what: String, _ name: String, field: String, allowed: [String]) -> ReportError {
        let hint = closestName(to: name, among: allowed).map { "; did you mean '\($0)'?" } ?? ""
        return .usage(message: "unknown \(what) '\(name)'\(hint)", field: field, allowed: allowed)
    }

    static func invalid(_ field: String, _ problem: String) -> ReportError {
        .usage(message: "\(field): \(problem)", field: field, allowed: [])
    }
}
