/// What a person may do in an app (docs/access.md). Each role may do what the ones before it may.
package enum AppRole: String, CaseIterable, Comparable, Codable, Sendable {
    case viewer, analyst, manager

    package static func < (first: AppRole, second: AppRole) -> Bool {
        (allCases.firstIndex(of: first) ?? 0) < (allCases.firstIndex(of: second) ?? 0)
    }
}
