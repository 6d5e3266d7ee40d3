package import Postgres
package import Storage

/// What a query reads packed timelines by: the app's state of packing in one snapshot. Several connections share it.
package struct PackedSnapshot: Sendable {
    let app: App
    let state: TimelineState
    let query: TimelineQuery
    /// What the codes of events are of.
    let texts: SharedTexts

    /// How many events are packed.
    package var packedEvents: Int { state.events }

    /// Reads it inside the transaction at hand.
    ///
    /// - Parameter texts: what the codes of its events are of.
    /// - Returns: nil where nothing is packed.
    package static func read(
        _ query: TimelineQuery,
        app: App,
        texts: SharedTexts,
        on connection: isolated PostgresConnection
    ) throws -> PackedSnapshot? {
        guard let state = try TimelineState.read(app: app.number, on: connection), !state.isEmpty else { return nil }
        return PackedSnapshot(app: app, state: state, query: query, texts: texts)
    }

    /// All parts of a plan, the longest first.
    ///
    /// - Parameter readers: how many connections may share them, a power of 2.
    func parts(for readers: Int) -> [ScanPart] {
        (0..<readers).map { .delta(DeltaScan.Part(index: $0, count: readers)) }
            + (query.needsStoryPosts ? [.posts] : []) + [.links] + (query.needsRefs ? [.stories] : [])
    }

    func read(_ part: ScanPart, on connection: isolated PostgresConnection) throws -> ScanPartResult {
        switch part {
        case .delta(let part):
            var events = EncodedEvents.Builder(dictionary: TimelineDictionary(sharing: texts))
            let scan = DeltaScan(query, app: app, from: state.packedThrough, part: part, hash: state.hash)
            try scan.forEachEvent(dictionary: events.dictionary, on: connection) { event, _ in events.append(event) }
            return .delta(events.finish())
        case .links:
            return .links(try ChangedLinks.read(app: app, state: state, on: connection))
        case .stories:
            let dictionary = TimelineDictionary(sharing: texts)
            return .stories(try ChangedStories.read(app: app, state: state, dictionary: dictionary, on: connection))
        case .posts:
            return .posts(try StoryPosts(app: app.number, state: state, on: connection))
        }
    }
}
