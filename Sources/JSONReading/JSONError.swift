/// Why a text is not JSON that we read.
package enum JSONError: Error, Equatable, Sendable {
    case malformed
    case invalidUTF8
    case tooDeep
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
