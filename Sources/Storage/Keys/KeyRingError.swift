/// Why the ring cannot say whether a key is valid.
package enum KeyRingError: Error, CustomStringConvertible {
    case tookTooLong

    package var description: String {
        switch self {
        case .tookTooLong: "the keys could not be read from the database in time"
        }
    }
}
