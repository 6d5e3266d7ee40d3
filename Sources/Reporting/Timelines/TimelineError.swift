/// The database holds what this version does not know.
enum TimelineError: Error, CustomStringConvertible {
    /// A label of an enum, newer than this program.
    case unknownLabel(String)

    var description: String {
        switch self {
        case .unknownLabel(let label):
            "the database holds '\(label)', which this version of tributary does not know; update it"
        }
    }
}
