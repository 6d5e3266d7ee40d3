/// A part of what must be known before packed timelines are read. Any free connection can read it.
enum ScanPart: Sendable {
    case delta(DeltaScan.Part)
    case links
    case stories
    case posts
    case postDetails
    case sharedDevices
}

/// The result of reading a ``ScanPart``.
enum ScanPartResult: Sendable {
    case delta(EncodedEvents)
    case links(ChangedLinks)
    case stories(ChangedStories)
    case posts(StoryPosts)
    case postDetails(PostDetails)
    case sharedDevices(SharedDevices)
}
