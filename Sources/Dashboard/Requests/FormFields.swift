import InboundLinks
import Ingest
import Text

/// The fields of a query or a posted form, decoded as HTML forms encode them. Each name occurs once, but `where`.
struct FormFields {
    private(set) var fields: [(name: String, value: String)] = []

    init() {}

    init(_ fields: [(name: String, value: String)]) { self.fields = fields }

    /// - Parameter text: a query or a form, still encoded.
    /// - Throws: `DashboardFailure.invalid` for a text that cannot be decoded, or that has a name twice.
    init(_ text: String) throws(DashboardFailure) {
        do throws(Problem) {
            fields = try QueryString(text).parameters
        } catch {
            throw .invalid((error.field.map { "‘\($0)’: " } ?? "") + error.detail)
        }
    }

    /// The value of this name; nil if it is absent or empty.
    subscript(name: String) -> String? {
        fields.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// With LF for each end of a line: browsers send CRLF, whatever the field had.
    var withPlainLines: FormFields {
        var plain = self
        plain.fields = fields.map { name, value in
            guard value.utf8.contains(UInt8(ascii: "\r")) else { return (name, value) }
            return (name, value.replacing("\r\n", with: "\n").replacing("\r", with: "\n"))
        }
        return plain
    }

    /// Without secrets in the values.
    var redacted: FormFields {
        var redacted = self
        redacted.fields = fields.map { ($0.name, Redaction.redact($0.value)) }
        return redacted
    }

    /// Those with these names.
    func limited(to names: [String]) -> FormFields {
        var limited = self
        limited.fields.removeAll { !names.contains($0.name) }
        return limited
    }

    /// The query of a link with these fields.
    static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(PercentEncoding.encoded($0.name))=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
    }

    /// Fields as a reader sees them: `by=ref limit=5`.
    static func words(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }
}
