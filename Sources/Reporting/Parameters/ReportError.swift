import Text

/// Why a report could not be asked for.
package enum ReportError: Error, Equatable, Sendable {
    /// Wrong usage (exit status 64, HTTP 400).
    ///
    /// - message: a sentence for the person who asked, with the closest valid name where one was misspelt.
    /// - field: the parameter at fault, `report` for the report's name.
    /// - allowed: what could have stood there; empty where it is no choice from a list.
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
    /// A name that is none of the allowed ones.
    static func unknown(_ what: String, _ name: String, field: String, allowed: [String]) -> ReportError {
        let hint = closestName(to: name, among: allowed).map { "; did you mean '\($0)'?" } ?? ""
        return .usage(message: "unknown \(what) '\(name)'\(hint)", field: field, allowed: allowed)
    }

    static func invalid(_ field: String, _ problem: String) -> ReportError {
        .usage(message: "\(field): \(problem)", field: field, allowed: [])
    }
}
