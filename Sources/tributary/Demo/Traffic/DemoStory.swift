/// A story that somebody posted and friends see.
struct DemoStory: Sendable {
    /// How the link of a tap shows which story it belongs to (docs/links.md, *The story join*).
    enum Trail: Sendable {
        /// Only by the posted URL, which is the target.
        case echo
        /// The app's backend knows the post.
        case postID
        /// The target carries the ref.
        case targetRef
        /// An Open Graph story: `fb_ref` and the ids of the actions that it tells.
        case openGraph(actionIDs: [String])
    }

    let ref: DemoRef
    let postID: String
    let link: String
    /// Milliseconds from the start of the day.
    let moment: Int
    let trail: Trail

    /// The target of a tap, as Facebook would send it.
    var target: String {
        let refs = ref.names.joined(separator: ",")
        let mark = link.contains("?") ? "&" : "?"
        switch trail {
        case .echo, .postID: return link
        case .targetRef: return link + mark + DemoLink.query([("ref", refs)])
        case .openGraph(let actionIDs):
            let parameters = [
                ("fb_ref", refs), ("fb_source", "feed_opengraph"), ("fb_action_ids", actionIDs.joined(separator: ",")),
                ("fb_action_types", "\(DemoLink.namespace):cook"),
            ]
            return link + mark + DemoLink.query(parameters)
        }
    }
}
