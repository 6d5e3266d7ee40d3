/// Why the ring cannot say whether a key is valid.
enum KeyRingError: Error, CustomStringConvertible {
    case tookTooLong

    var description: String {
        switch self {
        case .tookTooLong: "the keys could not be read from the database in time"
        }
    }
}
