extension FeedPostReading {
    /// The members that `tributary inspect --post` prints, in the order of docs/command-line.md, *inspect*.
    package var inspection: [(String, InspectionValue)] {
        [
            ("kind", .string(kind.rawValue)),
            ("outcome", .optional(outcome?.rawValue)),
            ("post_id", .optional(postID)),
            ("error_code", errorCode.map { .number($0) } ?? .null),
            ("error_message", .optional(errorMessage)),
        ]
    }
}
