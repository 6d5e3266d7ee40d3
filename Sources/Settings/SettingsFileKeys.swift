import Yams

/// The keys that stand in a YAML file, levels joined by points.
enum SettingsFileKeys {
    /// - Throws: where the text is no YAML.
    static func all(in text: String) throws -> [String] {
        guard let root = try Yams.compose(yaml: text) else { return [] }
        var keys: [String] = []
        collect(root, under: nil, into: &keys)
        return keys
    }

    /// The first that no setting has; nil where there is none.
    static func firstUnknown(in text: String) throws -> String? {
        try all(in: text).first { !SettingsKey.all.contains($0) }
    }

    private static func collect(_ node: Node, under prefix: String?, into keys: inout [String]) {
        guard case .mapping(let mapping) = node else { return }
        for (name, value) in mapping {
            let key = [prefix, name.string ?? "?"].compactMap(\.self).joined(separator: ".")
            switch value {
            case .mapping: collect(value, under: key, into: &keys)
            // A level whose settings are all commented out.
            case .scalar(let scalar) where scalar.string.isEmpty || value.null != nil:
                if !SettingsKey.all.contains(where: { $0.hasPrefix(key + ".") }) { keys.append(key) }
            default: keys.append(key)
            }
        }
    }
}
