import Text
import Yams

extension ReadingRules {
    /// The longest file of rules, in bytes.
    package static let byteLimit = 64 << 10
    /// The most rules of an app.
    package static let ruleLimit = 500

    /// Reads rules from YAML.
    ///
    /// - Parameter name: the file's, for messages.
    /// - Throws: what is wrong first, with its line. Nothing is read in part.
    package init(yaml: String, name: String) throws(ReadingRulesError) {
        self = try ReadingRulesReader(file: name).read(yaml)
    }
}

/// Reads the rules of an app. An unknown key, a rule that can never apply and whatever else may be a mistake is
/// refused.
private struct ReadingRulesReader {
    let file: String

    func read(_ yaml: String) throws(ReadingRulesError) -> ReadingRules {
        guard yaml.utf8.count <= ReadingRules.byteLimit else {
            throw ReadingRulesError("\(file) is longer than \(ReadingRules.byteLimit >> 10) KiB")
        }
        if let problem = YAMLAliases.problem(in: yaml) { throw ReadingRulesError("\(file), \(problem)") }
        let root: Node?
        do {
            root = try Yams.compose(yaml: yaml)
        } catch {
            throw ReadingRulesError("\(file) is not YAML: \(yamlProblem(error))")
        }
        guard let root else {
            throw ReadingRulesError(
                "\(file) has no rules; to remove the rules of an app, use 'tributary app rules clear'"
            )
        }
        var rules = ReadingRules()
        for (key, value) in try members(of: root, known: ["refs", "rules", "page"]) {
            switch key {
            case "refs": rules.refParameters = try refParameters(value)
            case "page": rules.pageParameters = try pageParameters(value)
            default: rules.rules = try self.rules(value)
            }
        }
        guard !rules.isEmpty else {
            throw failure(root, "there are no rules; to remove the rules of an app, use 'tributary app rules clear'")
        }
        return rules
    }

    // MARK: - Parameters

    private func refParameters(_ node: Node) throws(ReadingRulesError) -> [String] {
        let names = try parameters(node, of: "refs", example: "utm_campaign")
        if let index = names.firstIndex(of: "fb_ref") {
            throw failure(node.sequence?[index] ?? node, "fb_ref always names the ref, before all others")
        }
        return names
    }

    private func pageParameters(_ node: Node) throws(ReadingRulesError) -> [String] {
        var names: [String] = []
        for (_, value) in try members(of: node, known: ["keep"]) {
            names = try parameters(value, of: "keep", example: "id")
        }
        return names
    }

    private func parameters(_ node: Node, of key: String, example: String) throws(ReadingRulesError) -> [String] {
        guard let sequence = node.sequence else {
            throw failure(node, "\(key) must be a list of parameters, for example [\(example)]")
        }
        var names: [String] = []
        for element in sequence {
            let name = try text(element)
            try check(parameter: name, element)
            if names.contains(name) { throw failure(element, "'\(name)' is in the list twice") }
            names.append(name)
        }
        return names
    }

    private func check(parameter name: String, _ node: Node) throws(ReadingRulesError) {
        guard !name.isEmpty, name.utf8.count <= 256,
            !name.utf8.contains(where: { $0 < 0x20 || "&=#".utf8.contains($0) })
        else { throw failure(node, "'\(Redaction.redact(name))' cannot be the name of a parameter") }
        if ParameterName(Array(name.utf8), 0..<name.utf8.count)?.isJSON == true {
            throw failure(node, "\(name) holds JSON; name a parameter of the target in its place")
        }
        if Redaction.redact("https://host/?\(name)=ValueOfAParameter") != "https://host/?\(name)=ValueOfAParameter" {
            throw failure(node, "\(name) is a secret, and secrets are never kept; choose another parameter")
        }
    }

    // MARK: - Rules

    private func rules(_ node: Node) throws(ReadingRulesError) -> [ReadingRule] {
        guard let sequence = node.sequence else {
            throw failure(node, "rules must be a list; each begins with '- when: {…}'")
        }
        guard sequence.count <= ReadingRules.ruleLimit else {
            throw failure(node, "there are more than \(ReadingRules.ruleLimit) rules")
        }
        var rules: [ReadingRule] = []
        var nodes: [Node] = []
        for element in sequence {
            let rule = try rule(element)
            for (index, earlier) in rules.enumerated() where earlier.covers(rule) {
                let place = "rule \(index + 1) in line \(nodes[index].mark?.line ?? 0)"
                throw failure(
                    element,
                    rule.conditions == earlier.conditions
                        ? "rule \(rules.count + 1) has the same conditions as \(place), so it can never apply"
                        : "rule \(rules.count + 1) can never apply: \(place) applies to all its links, and comes first"
                )
            }
            rules.append(rule)
            nodes.append(element)
        }
        return rules
    }

    private func rule(_ node: Node) throws(ReadingRulesError) -> ReadingRule {
        var conditions: [ReadingRule.Subject: RulePattern]?
        var channel: Channel?
        var refs: [String] = []
        for (key, value) in try members(of: node, known: ["when", "channel", "ref"]) {
            switch key {
            case "when": conditions = try self.conditions(value)
            case "channel": channel = try self.channel(value)
            default: refs = try self.refs(value)
            }
        }
        guard let conditions else {
            throw failure(node, "a rule needs 'when': the parameters, or host, path, scheme, referer_app, of its links")
        }
        guard let channel else {
            throw failure(node, "a rule needs a channel: \(Self.channels)")
        }
        return ReadingRule(conditions: conditions, channel: channel, refs: refs)
    }

    private func conditions(_ node: Node) throws(ReadingRulesError) -> [ReadingRule.Subject: RulePattern] {
        var conditions: [ReadingRule.Subject: RulePattern] = [:]
        guard let mapping = node.mapping, !mapping.isEmpty else {
            throw failure(node, "'when' must name what a link has, for example {utm_source: newsletter}")
        }
        for (key, value) in mapping {
            let subject = ReadingRule.Subject(named: try text(key))
            if case .parameter(let name) = subject { try check(parameter: name, key) }
            conditions[subject] = try pattern(value, of: subject)
        }
        return conditions
    }

    private func pattern(_ node: Node, of subject: ReadingRule.Subject) throws(ReadingRulesError) -> RulePattern {
        guard let scalar = node.scalar else {
            throw failure(node, "'\(subject.name)' must be one value; write a rule for each value")
        }
        var text = scalar.string.trimmed
        guard !text.isEmpty else { throw failure(node, "'\(subject.name)' is empty; an empty value is none") }
        guard text.utf8.count <= 1_024 else { throw failure(node, "'\(subject.name)' is longer than 1 KiB") }
        let isPrefix = text.utf8.last == UInt8(ascii: "*")
        if isPrefix { text.removeLast() }
        guard !text.contains("*") else { throw failure(node, "* can only be the last character of a value") }
        if subject.ignoresCase { text = text.lowercasedASCII }
        switch subject {
        case .host where text.contains(where: { "/:?#@ ".contains($0) }):
            throw failure(node, "a host is a name such as example.com, without a scheme, port or path")
        case .scheme where text.contains(where: { "/:?# ".contains($0) }):
            throw failure(node, "a scheme is a name such as https, without '://'")
        case .path where !text.isEmpty && !text.hasPrefix("/"):
            throw failure(node, "a path begins with /")
        case .path where text.contains(where: { "?#".contains($0) }):
            throw failure(node, "a path has no ? and no #; name the parameters beside it")
        default: break
        }
        return RulePattern(text: text, isPrefix: isPrefix)
    }

    private func channel(_ node: Node) throws(ReadingRulesError) -> Channel {
        let text = try text(node)
        guard let channel = Channel(rawValue: text) else {
            let names = Channel.allCases.map(\.rawValue)
            throw failure(
                node,
                "'\(text)' is not a channel"
                    + (closestName(to: text, among: names).map { " (did you mean '\($0)'?)" }
                        ?? "; the channels are \(Self.channels)")
            )
        }
        return channel
    }

    private func refs(_ node: Node) throws(ReadingRulesError) -> [String] {
        var refs: [String] = []
        for element in node.sequence.map(Array.init) ?? [node] {
            for ref in try text(element).commaSeparated {
                guard ref != RefList.sentinel, !RowName.matches(ref), ref.utf8.count <= RefList.maximumBytes,
                    Redaction.redact(ref) == ref
                else {
                    throw failure(element, "'\(Redaction.redact(ref))' cannot be a ref")
                }
                if refs.contains(ref) { throw failure(element, "the ref '\(ref)' is there twice") }
                refs.append(ref)
            }
        }
        guard !refs.isEmpty else { throw failure(node, "the ref is empty; leave 'ref' out to keep the link's own") }
        guard refs.count <= RefList.maximumCount else {
            throw failure(node, "a touch has at most \(RefList.maximumCount) refs")
        }
        return refs
    }

    private static let channels = Channel.allCases.map(\.rawValue).joined(separator: ", ")

    // MARK: - YAML

    private func members(of node: Node, known: [String]) throws(ReadingRulesError) -> [(key: String, value: Node)] {
        guard let mapping = node.mapping else {
            throw failure(node, "expected '\(known.joined(separator: "' or '"))' and a colon")
        }
        var members: [(key: String, value: Node)] = []
        for (key, value) in mapping {
            let name = try text(key)
            guard known.contains(name) else {
                throw failure(
                    key,
                    "unknown key '\(Redaction.redact(name))'"
                        + (closestName(to: name, among: known).map { " (did you mean '\($0)'?)" }
                            ?? "; the keys are \(known.joined(separator: ", "))")
                )
            }
            members.append((name, value))
        }
        return members
    }

    /// The text of a single value, as it is spelled.
    private func text(_ node: Node) throws(ReadingRulesError) -> String {
        guard let scalar = node.scalar else { throw failure(node, "expected a single value") }
        return scalar.string
    }

    private func failure(_ node: Node, _ message: String) -> ReadingRulesError {
        ReadingRulesError("\(node.mark.map { "\(file):\($0.line)" } ?? file): \(message)")
    }
}
