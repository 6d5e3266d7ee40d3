/// Why a JSON text was not read.
package enum JSONError: Error, Equatable, Sendable {
    /// The text is not JSON, or its root is neither an object nor an array.
    case malformed
    case invalidUTF8
    case tooDeep
    /// The text has too many values or bytes, or there is not enough memory.
    case tooLarge

    init(code: Int32) {
        // The numbers of `tape_error_…` in CSimdjson.h.
        self =
            switch code {
            case 2: .invalidUTF8
            case 3: .tooDeep
            case 4, 5: .tooLarge
            default: .malformed
            }
    }
}
