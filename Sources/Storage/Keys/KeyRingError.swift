/// Why it cannot be said whether a key is known.
enum KeyRingError: Error, CustomStringConvertible {
    case tookTooLong

    var description: String {
        switch self {
        case .tookTooLong: "the keys could not be read in time"
        }
    }
}
