/// The database holds what this version does not know.
enum TimelineError: Error, CustomStringConvertible {
    /// A label of an enum, newer than this program.
    case unknownLabel(String)
    /// A packed segment does not have what it says it has.
    case damagedSegment(bucket: Int)

    var description: String {
        switch self {
        case .unknownLabel(let label):
            "the database holds '\(label)', which this version of tributary does not know; update it"
        case .damagedSegment(let bucket):
            "a packed timeline (bucket \(bucket)) is damaged; make them anew with 'tributary rebuild'"
        }
    }
}
