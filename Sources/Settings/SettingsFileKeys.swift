import Yams

/// The keys in a YAML file, with their levels joined by points.
struct SettingsFileKeys {
    private(set) var all: [String] = []
    /// Whether the file has nothing but comments.
    let isEmptyFile: Bool

    /// - Throws: if the text is not YAML.
    init(in text: String) throws {
        let root = try Yams.compose(yaml: text)
        isEmptyFile = root.map { $0.null != nil } ?? true
        if let root { collect(root, under: nil) }
    }

    /// The first key that is not a setting; nil if all are settings.
    var firstUnknown: String? {
        all.first { !SettingsKey.all.contains($0) }
    }

    private mutating func collect(_ node: Node, under prefix: String?) {
        guard case .mapping(let mapping) = node else { return }
        for (name, value) in mapping {
            let key = [prefix, name.string ?? "?"].compactMap(\.self).joined(separator: ".")
            switch value {
            case .mapping: collect(value, under: key)
            // A level whose settings are all commented out.
            case .scalar(let scalar) where scalar.string.isEmpty || value.null != nil:
                if !SettingsKey.all.contains(where: { $0.hasPrefix(key + ".") }) { all.append(key) }
            default: all.append(key)
            }
        }
    }
}
