import InboundLinks

/// Why an import cannot begin or continue. Events that were committed before stay.
package enum ImportError: Error, Equatable, CustomStringConvertible {
    /// The input cannot be read: exit status 65.
    case unusableInput(String)
    /// The mapping cannot be used: exit status 64.
    case unusableMapping(String)

    package var description: String {
        switch self {
        // The names of columns are a row of data in a file without them.
        case .unusableInput(let message), .unusableMapping(let message): Redaction.redact(message)
        }
    }
}
