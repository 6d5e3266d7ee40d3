package import Events
import InboundLinks
import Postgres
import Storage

/// Who posted each post, and what an Open Graph story says: 28 bytes for each post.
package struct PostDetails: Sendable {
    /// What is known of one post.
    package struct Detail: Sendable {
        package var event: EventID
        /// The person, as a person's key in a timeline; none for an anonymous post.
        package var poster = Code.none
        package var actionType = Code.none
        package var object = Code.none

        package init(event: EventID) {
            self.event = event
        }
    }

    /// Ordered by event.
    private let details: [Detail]

    package init(_ details: [Detail] = []) {
        self.details = details.sorted { $0.event < $1.event }
    }

    /// Reads the details inside the caller's transaction. All links are joined by hash.
    init(app: App, dictionary: TimelineDictionary, on connection: isolated PostgresConnection) throws {
        var details: [Detail] = []
        let statement = BoundStatement(TimelineSQL.postDetails, ["app_number": String(app.number)])
        try connection.copyOut(statement.copyOut) { row in
            var detail = Detail(event: try row.nextEventID())
            detail.poster = try row.nextUnsafeBytes().map { dictionary.poster($0) } ?? .none
            detail.actionType = try row.nextUnsafeBytes().map { dictionary.actionType($0) } ?? .none
            detail.object = try row.nextUnsafeBytes().map { dictionary.object($0) } ?? .none
            details.append(detail)
        }
        self.init(details)
    }

    subscript(event: EventID) -> Detail? {
        let position = details.firstPosition { $0.event >= event }
        return position < details.count && details[position].event == event ? details[position] : nil
    }
}
