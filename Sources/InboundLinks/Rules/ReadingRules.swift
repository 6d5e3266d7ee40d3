/// The rules that an app adds to those of every app (docs/rules.md). Pure values; ``ReadingRules/init(yaml:name:)``
/// reads and checks them.
package struct ReadingRules: Equatable, Sendable {
    /// Further parameters that name the refs, the first that has any wins.
    package var refParameters: [String] {
        didSet { parameters = Self.parameters(refParameters, rules) }
    }
    /// The first that applies decides.
    package var rules: [ReadingRule] {
        didSet { parameters = Self.parameters(refParameters, rules) }
    }
    /// The parameters of a target that belong to its page. They change no link that is read, only what reports call a
    /// page.
    package var pageParameters: [String] = []
    /// For the campaign data of Meta in install referrers; nil if the app has none. It is a setting of the app, not a
    /// part of its text of rules.
    package var metaReferrerKey: MetaReferrerKey?
    /// The names of the properties that the app has declared as keys of reports: a setting of the app, too.
    package var declaredProperties: [String] = []
    /// Which version of an app's rules they are, from 1; 0 if they are not kept as an app's.
    package var version = 0
    /// The names of all parameters that are looked at.
    private(set) var parameters: Set<String>

    /// No rules: links are read as those of every app.
    package static let none = ReadingRules()

    package init(refParameters: [String] = [], rules: [ReadingRule] = []) {
        self.refParameters = refParameters
        self.rules = rules
        parameters = Self.parameters(refParameters, rules)
    }

    package var isEmpty: Bool { refParameters.isEmpty && rules.isEmpty && pageParameters.isEmpty }

    /// The first rule that applies, and its number from 1.
    func decision(on facts: borrowing RuleFacts) -> (number: Int, rule: ReadingRule)? {
        for (index, rule) in rules.enumerated() where rule.applies(to: facts) { return (index + 1, rule) }
        return nil
    }

    /// The refs of the first of ``refParameters`` that has any.
    func refs(in facts: borrowing RuleFacts) -> [String] {
        for name in refParameters {
            guard let value = facts.parameter(name) else { continue }
            // A `ref` of Facebook's own is no ref of the app.
            if name == "ref", LegacyRef.channel(of: value) != nil { continue }
            let refs = RefList.cleaned(value.commaSeparated)
            if !refs.isEmpty { return refs }
        }
        return []
    }

    private static func parameters(_ refParameters: [String], _ rules: [ReadingRule]) -> Set<String> {
        var names = Set(refParameters)
        for rule in rules {
            for case .parameter(let name) in rule.conditions.keys { names.insert(name) }
        }
        return names
    }
}
