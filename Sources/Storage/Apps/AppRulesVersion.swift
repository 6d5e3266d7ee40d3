package import InboundLinks
package import Time

/// A version of the rules that an app adds (docs/rules.md).
package struct AppRulesVersion: Codable, Equatable, Sendable {
    /// From 1.
    package var version: Int
    /// As it was given; nil: the app has no rules of its own any more.
    package var yaml: String?
    /// In microseconds since 1970.
    private var setAtMicroseconds: Int64

    package init(version: Int, yaml: String?, setAt: Timestamp) {
        self.version = version
        self.yaml = yaml
        setAtMicroseconds = setAt.microseconds
    }

    package var setAt: Timestamp { Timestamp(microseconds: setAtMicroseconds) }

    /// - Throws: if this program cannot read what another version of it has accepted.
    package func rules() throws(ReadingRulesError) -> ReadingRules {
        var rules =
            try yaml.map { yaml throws(ReadingRulesError) in
                try ReadingRules(yaml: yaml, name: "version \(version) of the rules")
            } ?? .none
        rules.version = version
        return rules
    }
}
