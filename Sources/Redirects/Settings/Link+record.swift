package import InboundLinks
package import JSONReading
import Time

extension Link {
    /// All fields, in the order of ``LinkField/all``. Null where there is no value.
    package var record: [(String, InspectionValue)] {
        LinkField.all.map { field in
            let value: InspectionValue =
                switch field.value {
                case .host: .string(host)
                case .slug: .string(slug)
                case .text(let path, _), .choice(let path, _): .optional(self[keyPath: path])
                case .list(let path): .list(self[keyPath: path])
                case .flag(let path): .bool(self[keyPath: path])
                case .time(let path): .optional(self[keyPath: path]?.rfc3339)
                }
            return (field.name, value)
        }
    }

    /// Host, slug and the fields that are not as in a new link. ``set(_:to:)`` reads them back.
    package var givenFields: [(String, InspectionValue)] {
        zip(record, Self.blank.record).filter { $0.1 != $1.1 }.map { $0.0 }
    }

    /// The fields that ``givenFields`` has in addition to host, slug and times, as a JSON object. Links for which it is
    /// the same lead to the same places.
    package var content: String {
        let own: Set = ["host", "slug", "created_at", "updated_at"]
        return InspectionValue.object(givenFields.filter { !own.contains($0.0) }, indented: false)
    }

    /// Changes a field.
    ///
    /// - Parameters:
    ///   - name: of a ``LinkField``.
    ///   - value: null, and an empty text, mean that the field has no value.
    /// - Returns: whether there is a field of this name.
    package mutating func set(_ name: String, to value: JSONNode) throws(LinkFault) -> Bool {
        guard let field = LinkField.named(name) else { return false }
        let name = field.name
        switch field.value {
        case .host:
            guard let host = try LinkValue.text(value, name).flatMap(LinkHost.normalised) else {
                throw LinkFault(.invalidValue, name, "host must be the name of a host")
            }
            self.host = host
        case .slug:
            guard let text = try LinkValue.text(value, name) else {
                throw LinkFault(.invalidSlug, name, "slug is empty")
            }
            slug = try Slug.checked(text)
        case .text(let path, _): self[keyPath: path] = try LinkValue.text(value, name)
        case .choice(let path, let words):
            let word = try LinkValue.text(value, name)
            if let word { try LinkValue.check(word, isAmong: words, name) }
            self[keyPath: path] = word
        case .list(let path): self[keyPath: path] = try LinkValue.list(value, name)
        case .flag(let path):
            self[keyPath: path] = try LinkValue.bool(value, name, default: Self.blank[keyPath: path])
        case .time(let path): self[keyPath: path] = try LinkValue.time(value, name)
        }
        return true
    }
}
