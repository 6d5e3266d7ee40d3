import ArgumentParser

/// How a command prints records.
struct RecordFormat: ParsableArguments {
    enum Form: String, ExpressibleByArgument, CaseIterable {
        /// `name: value` lines.
        case text
        case json
    }

    @Option(name: .customLong("format"), help: "The form of the output.")
    var form: Form = .text
}
