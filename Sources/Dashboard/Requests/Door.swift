/// Views that belong together, as the top of each page lists them. ``View/live`` stands beside *Sign out*.
enum Door: String, CaseIterable {
    case overview
    case posts
    case people
    case explore
    case saved

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The first is where the door leads.
    var views: [View] {
        switch self {
        case .overview: [.overview]
        case .posts: [.posts, .viral, .generations, .links]
        case .people: [.funnels, .retention, .activity, .paths, .overlap, .logins]
        case .explore: Exploring.kinds.map(\.view)
        case .saved: [.questions, .money]
        }
    }

    /// Those that a page lists below the doors: none if they are one page.
    var listed: [View] { Set(views.map(\.title)).count > 1 ? views : [] }
}
