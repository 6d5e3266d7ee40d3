/// Why an import cannot begin or go on. What was committed before stays.
package enum ImportError: Error, Equatable, CustomStringConvertible {
    /// An input that cannot be read as what it should be: exit status 65.
    case unusableInput(String)
    /// A mapping that cannot be used: exit status 64.
    case unusableMapping(String)

    package var description: String {
        switch self {
        case .unusableInput(let message), .unusableMapping(let message): message
        }
    }
}
