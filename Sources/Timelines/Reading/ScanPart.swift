/// A part of what a reader needs before it reads packed timelines, read by itself on any connection that is free.
enum ScanPart: Sendable {
    case delta(DeltaScan.Part)
    case links
    case stories
    case posts
}

/// What reading a ``ScanPart`` gave.
enum ScanPartResult: Sendable {
    case delta(EncodedEvents)
    case links(ChangedLinks)
    case stories(ChangedStories)
    case posts(StoryPosts)
}
