import Events

/// What a field of an event, or one of its properties, is made of.
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
        case flag
        case number
        case json
        case decimal(comma: Bool)
        case time(TimeFormat, zone: String?)
    }

    /// What becomes of a value that the translation does not list.
    enum Unlisted: String, CaseIterable, Sendable {
        case reject, keep, omit, skip
    }

    /// The key on the wire, or the property's name.
    var key: String
    var source: Source
    var kind = Kind.text
    /// The text that stands for each value; empty where values are not translated.
    var translation: [String: String] = [:]
    var unlisted = Unlisted.reject
    /// JSON, where all columns are empty.
    var fallback: [UInt8]?
}
