import Events
import Yams
import Text

/// A part of a mapping's YAML, with its place for messages.
struct MappingNode {
    let node: Node
    /// The mapping's file.
    let file: String

    /// `map.yaml:12`.
    var place: String {
        node.mark.map { "\(file):\($0.line)" } ?? file
    }

    func failure(_ message: String) -> ImportError {
        .unusableMapping("\(place): \(message)")
    }

    /// The members of an object.
    ///
    /// - Parameter known: the allowed keys; nil allows any.
    func members(known: [String]? = nil) throws(ImportError) -> [(key: String, value: MappingNode)] {
        guard let mapping = node.mapping else { throw failure("expected 'key: value' lines") }
        var members: [(key: String, value: MappingNode)] = []
        for (key, value) in mapping {
            guard let name = key.scalar?.string else { throw failure("a key must be a text") }
            if let known, !known.contains(name) {
                throw MappingNode(node: key, file: file).failure("unknown key '\(name)'" + hint(name, known))
            }
            members.append((name, MappingNode(node: value, file: file)))
        }
        return members
    }

    /// The text of a scalar, as it is spelled.
    func text() throws(ImportError) -> String {
        guard let scalar = node.scalar else { throw failure("expected a single value") }
        return scalar.string
    }

    /// One text, or a list of them.
    func texts() throws(ImportError) -> [String] {
        guard let sequence = node.sequence else { return [try text()] }
        var texts: [String] = []
        for element in sequence { texts.append(try MappingNode(node: element, file: file).text()) }
        return texts
    }

    func elements() throws(ImportError) -> [MappingNode] {
        guard let sequence = node.sequence else { throw failure("expected a list") }
        return sequence.map { MappingNode(node: $0, file: file) }
    }

    func flag() throws(ImportError) -> Bool {
        switch try text() {
        case "true": return true
        case "false": return false
        default: throw failure("expected true or false")
        }
    }

    func word<Word: RawRepresentable<String> & CaseIterable>(_ what: String) throws(ImportError) -> Word {
        let text = try text()
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue)
            throw failure("\(what) must be \(words.joined(separator: ", ")), not '\(text)'" + hint(text, words))
        }
        return word
    }

    var isPlain: Bool { node.scalar?.style == .plain }

    /// The closest of the known names, or else all of them.
    private func hint(_ name: String, _ known: [String]) -> String {
        if let closest = closestName(to: name, among: known) { return " (did you mean '\(closest)'?)" }
        return " (one of: \(known.joined(separator: ", ")))"
    }
}
