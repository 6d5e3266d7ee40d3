/// Why timelines cannot be read or packed.
package enum TimelineError: Error, CustomStringConvertible {
    /// The database has a label of an enum that this program does not know.
    case unknownLabel(String)
    /// A packed segment contradicts itself.
    case damagedSegment(bucket: Int)
    /// Another rebuild of the app has begun.
    case overtaken
    /// An event of a timeline is not among the events.
    case missingEvent
    /// A temporary file cannot be read again.
    case lostTemporaryFile(String)
    /// What is known of the app's posts takes more than ``TimelineQuery/postLimit``.
    case tooManyPosts
    /// The texts take more than ``TimelineDictionary/textLimit``; most of them are of this kind.
    case tooManyTexts(TimelineText)
    /// The installs from devices of several people take more than ``TimelineQuery/sharedDeviceLimit``.
    case tooManySharedDevices

    package var description: String {
        switch self {
        case .unknownLabel(let label):
            "the database has the value '\(label)', which this version of tributary does not know; update tributary"
        case .damagedSegment(let bucket):
            "a packed timeline (bucket \(bucket)) is damaged; run 'tributary rebuild'"
        case .overtaken:
            "another program has begun to pack this app's events again; run this command again when it has finished"
        case .missingEvent:
            "an event of a packed timeline is not stored; run 'tributary rebuild'"
        case .lostTemporaryFile(let reason):
            "a temporary file cannot be read again: \(reason); check the disk of TMPDIR"
        case .tooManyPosts:
            "the app has too many posts to hold what is known of each"
        case .tooManyTexts:
            "the app has more different texts than can be held"
        case .tooManySharedDevices:
            "the app has too many installs from devices that several people installed from"
        }
    }
}
