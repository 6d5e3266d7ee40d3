/// A rule of an app: which links it is about, and what their channel and refs are (docs/rules.md).
package struct ReadingRule: Equatable, Sendable {
    /// What a condition looks at.
    package enum Subject: Hashable, Sendable {
        /// The host of the target, in lower case and without a port.
        case host
        /// The path of the target, decoded. An empty one is `/`.
        case path
        /// The scheme of the target, in lower case.
        case scheme
        /// The name or id of the app that the link was tapped in, in lower case.
        case refererApp
        /// A parameter of the target, or else of the link. An empty one is none.
        case parameter(String)

        package init(named name: String) {
            switch name {
            case "host": self = .host
            case "path": self = .path
            case "scheme": self = .scheme
            case "referer_app": self = .refererApp
            default: self = .parameter(name)
            }
        }

        package var name: String {
            switch self {
            case .host: "host"
            case .path: "path"
            case .scheme: "scheme"
            case .refererApp: "referer_app"
            case .parameter(let name): name
            }
        }

        /// Whether its values are compared in lower case.
        var ignoresCase: Bool {
            switch self {
            case .host, .scheme, .refererApp: true
            case .path, .parameter: false
            }
        }
    }

    /// All must hold; there is at least one.
    package var conditions: [Subject: RulePattern]
    package var channel: Channel
    /// Empty: the rule names no refs, and the link's own count.
    package var refs: [String]

    package init(conditions: [Subject: RulePattern], channel: Channel, refs: [String] = []) {
        self.conditions = conditions
        self.channel = channel
        self.refs = refs
    }

    func applies(to facts: borrowing RuleFacts) -> Bool {
        for (subject, pattern) in conditions {
            guard let value = facts.value(of: subject), pattern.matches(value) else { return false }
        }
        return true
    }

    /// Whether this rule applies to every link that the other one applies to.
    ///
    /// Several rules together cover another one only if one of them does: a value that begins with a prefix can go on
    /// in a way that no longer prefix and no whole value of the others has.
    package func covers(_ other: ReadingRule) -> Bool {
        conditions.allSatisfy { subject, pattern in other.conditions[subject].map(pattern.covers) ?? false }
    }
}
