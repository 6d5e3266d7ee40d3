import Events

/// A property of feed posts by which `viral` groups (`--by`), and `viral` and `posts` filter (`--where`).
enum PostKey: String, FilterKey {
    /// A post with several refs is in the row of each.
    case ref
    case platform
    case composer
    /// The id of the person who posted.
    case poster

    /// Those that are known of posts of any outcome. Who posted is read only of posts that can bring somebody.
    static let ofEveryPost: [PostKey] = [.ref, .platform, .composer]

    var closedValues: [String]? {
        switch self {
        case .ref, .poster: nil
        case .platform: Platform.allCases.map(\.rawValue) + [ReportNames.none]
        case .composer: Composer.allCases.map(\.rawValue) + [ReportNames.none]
        }
    }

    var namedKind: NamedValue.Kind? {
        switch self {
        case .ref: .key(.ref)
        case .poster: .poster
        case .platform, .composer: nil
        }
    }
}
