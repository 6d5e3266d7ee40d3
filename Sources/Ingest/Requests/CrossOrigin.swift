import HTTPTypes

/// Requests of web pages from other origins (the CORS protocol of the Fetch standard). Only a key for apps can be used
/// in a page, and only by the origins that it lists. No cookie is ever asked for.
enum CrossOrigin {
    /// How long a browser need not ask again, in seconds. Short, because an origin may be taken from a key.
    private static let maximumAge = 600

    /// The fields that let the page read the answer.
    ///
    /// - Parameters:
    ///   - origins: the values of `Origin`; empty for a program that is no browser.
    ///   - principal: the holder of a key for apps.
    static func fields(for origins: [String], of principal: Principal) throws(Problem) -> [HeaderField] {
        guard let origin = origins.first else { return [] }
        guard origins.count == 1, principal.origins.contains(origin) else {
            throw Problem(
                .originNotAllowed,
                "Pages of this origin may not use the key; make one with 'tributary app add-key --scope app --origin'.",
                field: "Origin"
            )
        }
        return [
            HeaderField("Access-Control-Allow-Origin", origin),
            HeaderField("Access-Control-Expose-Headers", "Retry-After, X-Request-Id, RateLimit, RateLimit-Policy"),
            HeaderField("Vary", "Origin"),
        ]
    }

    /// What a browser asks before a page sends something: whether it may. The question has no key.
    ///
    /// - Parameter methods: those of the route.
    /// - Returns: the origin of the page; nil for another request.
    static func origin(ofPreflight request: HTTPRequest, to methods: [String]) -> String? {
        let fields = request.headerFields
        guard request.method == .options, fields[values: .origin].count == 1,
            let method = fields[.accessControlRequestMethod], methods.contains(method)
        else { return nil }
        return fields[.origin]
    }

    /// The answer to a page that may use some key. Which one, the request itself shows.
    static func preflightFields(for origin: String, asking request: HTTPRequest, to methods: [String]) -> [HeaderField]
    {
        [
            HeaderField("Access-Control-Allow-Origin", origin),
            HeaderField("Access-Control-Allow-Methods", methods.joined(separator: ", ")),
            HeaderField("Access-Control-Allow-Headers", allowedFields(for: request).joined(separator: ", ")),
            HeaderField("Access-Control-Max-Age", String(maximumAge)),
            HeaderField("Vary", "Origin, Access-Control-Request-Headers"),
        ]
    }

    /// The names that the browser asks for, besides those that the API reads: programs for monitoring add header fields
    /// to every request of a page, and one that is not allowed holds the request back.
    private static func allowedFields(for request: HTTPRequest) -> [String] {
        let names = ["authorization", "content-type", "content-encoding"]
        let asked = request.headerFields[values: .accessControlRequestHeaders]
            .flatMap { $0.split(separator: ",", maxSplits: askedLimit) }
            .prefix(askedLimit)
            .compactMap { HTTPField.Name($0.trimmingBlanks.lowercased())?.canonicalName }
        return names + asked.filter { !names.contains($0) }
    }

    private static let askedLimit = 64
}
