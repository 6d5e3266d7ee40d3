import ArgumentParser

/// How a command prints records.
enum RecordFormat: String, ExpressibleByArgument, CaseIterable {
    /// `name: value` lines.
    case text
    case json
}
