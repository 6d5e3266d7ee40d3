/// The supported codings of a body (RFC 9110 section 8.4.1).
enum ContentEncoding: Equatable {
    case identity, gzip

    /// Reads `Content-Encoding`.
    ///
    /// - Parameter values: the values of all fields of this name.
    init(_ values: [String]) throws(Problem) {
        var codings =
            values
            .flatMap { $0.split(separator: ",") }
            .map { $0.trimmingBlanks.lowercased() }
        codings.removeAll { $0.isEmpty || $0 == "identity" }
        switch codings {
        case []: self = .identity
        // RFC 9110 section 8.4.1.3: `x-gzip` is the same.
        case ["gzip"], ["x-gzip"]: self = .gzip
        default:
            throw Problem(.unsupportedEncoding, "Content-Encoding must be gzip or absent.", field: "Content-Encoding")
        }
    }
}
