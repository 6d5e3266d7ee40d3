import InboundLinks
import JSONReading
import Postgres
import Time

extension EventColumn {
    /// How a column that a link decides is read from a stored row.
    struct Rereading: Sendable {
        /// Returns false if a later version of this program has stored the value.
        let read: @Sendable (inout InboundLink, inout PostgresCopyRow) throws -> Bool

        static func word<Word>(
            _ path: any WritableKeyPath<InboundLink, Word> & Sendable,
            _ make: @escaping @Sendable (String) -> Word?
        ) -> Rereading {
            Rereading { link, row in
                guard let word = make(try row.nextOptionalText() ?? "") else { return false }
                link[keyPath: path] = word
                return true
            }
        }

        static func text(_ path: any WritableKeyPath<InboundLink, String?> & Sendable) -> Rereading {
            Rereading { link, row in
                link[keyPath: path] = try row.nextOptionalText()
                return true
            }
        }

        static func flag(_ path: any WritableKeyPath<InboundLink, Bool> & Sendable) -> Rereading {
            Rereading { link, row in
                link[keyPath: path] = try row.nextOptionalBool() ?? false
                return true
            }
        }

        static let refs = Rereading { link, row in
            if let refs = try row.nextUnsafeBytes() {
                link.refs = try JSONDocument(reading: refs).root.elements.map { $0.string ?? "" }
            }
            return true
        }

        static let clickedAt = Rereading { link, row in
            link.clickedAt = try row.nextOptionalTimestamp().map { Timestamp(microseconds: $0) }
            return true
        }

        static let details = Rereading { link, row in
            if let details = try row.nextUnsafeBytes() { link.set(details: try JSONDocument(reading: details).root) }
            return true
        }
    }

    /// The columns that `tributary reread` reads and writes again.
    static let reread = all.filter { $0.rereading != nil }

    /// The column as ``Rereading`` reads it.
    var selected: String {
        switch kind {
        case .label, .json: "\(name)::text"
        case .list: "array_to_json(\(name))::text"
        case .text, .flag, .time, .integer, .smallInteger, .decimal, .uuid: name
        }
    }

    /// The column in `json_to_recordset`.
    var declaration: String {
        let type =
            switch kind {
            case .text: "text"
            case .label(let type): type
            case .list: "text[]"
            case .flag: "boolean"
            case .time: "timestamptz"
            case .integer: "bigint"
            case .smallInteger: "smallint"
            case .decimal: "numeric"
            case .uuid: "uuid"
            case .json: "jsonb"
            }
        return "\(name) \(type)"
    }
}
