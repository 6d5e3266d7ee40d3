import JSONReading
import Text

/// The arguments of a call as the client sent them. Each is checked when it is read.
package struct ToolArguments: Sendable {
    private let node: JSONNode?

    init(_ node: JSONNode?) {
        // Some clients send null for "none".
        self.node = node?.kind == .null ? nil : node
    }

    /// - Throws: `ToolFailure` for arguments that the tool does not have, and for those that are missing.
    func check(for tool: AssistantTool) throws(ToolFailure) {
        if let node, node.kind != .object { throw ToolFailure("arguments must be an object") }
        let names = tool.arguments.map(\.name)
        for (name, _) in node?.memberList ?? [] where !names.contains(name) {
            let hint = closestName(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
            let list = names.isEmpty ? "" : " (one of: \(names.joined(separator: ", ")))"
            throw ToolFailure("\(tool.rawValue) has no argument '\(name)'\(hint)\(list)")
        }
        for argument in tool.arguments {
            guard let value = value(argument.name) else {
                if argument.isRequired { throw ToolFailure("\(argument.name) is required: \(argument.summary)") }
                continue
            }
            switch argument.kind {
            case .parameters:
                guard value.kind == .object else { throw ToolFailure("\(argument.name) must be an object") }
            case .text: _ = try Self.text(value, argument.name)
            case .word(let words):
                let word = try Self.text(value, argument.name)
                guard !words.contains(word) else { continue }
                let hint = closestName(to: word, among: words).map { "; did you mean '\($0)'?" } ?? ""
                throw ToolFailure(
                    "\(argument.name): unknown value '\(word)'\(hint) (one of: \(words.joined(separator: ", ")))"
                )
            }
        }
    }

    /// A text that ``check(for:)`` has found to be one; nil if it is not given.
    func text(_ name: String) -> String? { value(name)?.string }

    /// The parameters of a report, as over HTTP. Only `where` may occur several times; other arrays are lists.
    func parameters(_ name: String) throws(ToolFailure) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        for (name, value) in value(name)?.memberList ?? [] {
            guard value.kind == .array else {
                if let text = try Self.scalar(value, name) { parameters.append((name, text)) }
                continue
            }
            var texts: [String] = []
            for element in value.elements { if let text = try Self.scalar(element, name) { texts.append(text) } }
            if AssistantParameters.repeated.contains(name) {
                parameters += texts.map { (name, $0) }
            } else {
                parameters.append((name, texts.joined(separator: ",")))
            }
        }
        return parameters
    }

    private func value(_ name: String) -> JSONNode? {
        guard let value = node?[name], value.kind != .null else { return nil }
        return value
    }

    private static func text(_ value: JSONNode, _ name: String) throws(ToolFailure) -> String {
        guard let text = value.string else { throw ToolFailure("\(name) must be a text") }
        return text
    }

    /// Nil for null.
    private static func scalar(_ value: JSONNode, _ name: String) throws(ToolFailure) -> String? {
        switch value.kind {
        case .null: nil
        case .string: value.string
        case .number: value.number
        case .true: "true"
        case .false: "false"
        case .invalidString, .array, .object:
            throw ToolFailure("\(name) must be a text, a number, true or false, or an array of texts")
        }
    }
}

extension JSONNode {
    fileprivate var memberList: [(key: String, value: JSONNode)] { Array(members) }
}
