import Text

/// Environment variables that look like settings, but are none. Their values would have no effect.
package struct UnknownVariables: CustomStringConvertible {
    /// Variables of other programs: Grafana's data sources (`dashboards`), the senders of `docs/recipes`, the requests
    /// on pages of `docs`, and the build and the tests of Tributary.
    private static let others = [
        "TRIBUTARY_URL", "TRIBUTARY_WRITE_KEY", "TRIBUTARY_READ_KEY", "TRIBUTARY_APP_KEY",
        "TRIBUTARY_SQL_", "TRIBUTARY_PROMETHEUS_URL", "TRIBUTARY_TEST_", "TRIBUTARY_FUZZ_",
        "TRIBUTARY_WARNINGS_AS_ERRORS",
    ]

    private static let prefix = "TRIBUTARY_"

    private let names: [String]

    /// Nil if there are none.
    package init?(in environment: [String: String]) {
        let known = Set(Setting.all.map(\.variable))
        names =
            environment
            .filter { name, value in
                name.hasPrefix(Self.prefix) && !known.contains(name) && !Self.others.contains(where: name.hasPrefix)
                    && !ServiceLink.isOne(name, value)
            }
            .keys.sorted()
        if names.isEmpty { return nil }
    }

    /// The names, each with the closest variable that is a setting.
    package var description: String {
        // All begin with the same word, which must not make them close.
        let known = Setting.all.map { String($0.variable.dropFirst(Self.prefix.count)) }
        return names.map { name in
            closestName(to: String(name.dropFirst(Self.prefix.count)), among: known)
                .map { "\(name) (did you mean \(Self.prefix)\($0)?)" } ?? name
        }
        .joined(separator: ", ")
    }
}
