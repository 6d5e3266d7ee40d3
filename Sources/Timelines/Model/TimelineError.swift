/// What stands in the way of reading or packing timelines.
package enum TimelineError: Error, CustomStringConvertible {
    /// A label of an enum, newer than this program.
    case unknownLabel(String)
    /// A packed segment does not have what it says it has.
    case damagedSegment(bucket: Int)
    /// Somebody else has begun to pack the app anew.
    case overtaken
    /// A temporary file cannot be read again.
    case lostTemporaryFile(String)

    package var description: String {
        switch self {
        case .unknownLabel(let label):
            "the database holds '\(label)', which this version of tributary does not know; update it"
        case .damagedSegment(let bucket):
            "a packed timeline (bucket \(bucket)) is damaged; make them anew with 'tributary rebuild'"
        case .overtaken:
            "a daemon or another 'tributary rebuild' has begun to pack this app anew since; that one goes on"
        case .lostTemporaryFile(let reason):
            "what was kept in a temporary file cannot be read again: \(reason); is the disk of TMPDIR sound?"
        }
    }
}
