import Events

/// How a field of an event, or one of its properties, is made.
struct FieldRule: Equatable, Sendable {
    enum Source: Equatable, Sendable {
        /// JSON.
        case constant([UInt8])
        /// The first of the columns that is not empty.
        case columns([ColumnReference])
    }

    /// How the text of a column becomes JSON.
    enum Kind: Equatable, Sendable {
        case text
        /// One ref, whatever commas the text has.
        case ref
        case flag
        case number
        case json
        case decimal(comma: Bool)
        case time(TimeFormat, zone: String?)
    }

    /// What happens to a value that the translation does not list.
    enum Unlisted: String, CaseIterable, Sendable {
        case reject, keep, omit, skip
    }

    /// The field's key in JSON, or the property's name.
    var key: String
    var source: Source
    var kind = Kind.text
    /// The translation of each value; empty if values are not translated.
    var translation: [String: String] = [:]
    var unlisted = Unlisted.reject
    /// JSON, for rows in which all columns are empty.
    var fallback: [UInt8]?
}
