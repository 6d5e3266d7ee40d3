import Events
import Time
import Testing
import RandomTesting

/// 2026-11-21T12:00:00Z, when all events of these tests are received.
let receipt = Timestamp(microseconds: 1_795_262_400_000_000)

let sampleID = "018f3f5e-7c1a-7b7e-9d2b-3f4c5d6e7f80"

/// Decodes a body as the endpoint for all types would.
func decode(
    _ body: String,
    as mediaType: BatchDecoder.MediaType = .json,
    impliedType: EventType? = nil,
    retention: Duration = .seconds(400 * 86_400)
) throws(BatchError) -> EventBatch {
    try decode(Array(body.utf8), as: mediaType, impliedType: impliedType, retention: retention)
}

func decode(
    _ body: [UInt8],
    as mediaType: BatchDecoder.MediaType = .json,
    impliedType: EventType? = nil,
    retention: Duration = .seconds(400 * 86_400)
) throws(BatchError) -> EventBatch {
    var ids = EventIDMaker(randomness: SeededRandom(seed: 1))
    return try BatchDecoder(appID: "app", receivedAt: receipt, retention: retention, impliedType: impliedType)
        .decode(body, as: mediaType, ids: &ids)
}

/// The event of a body with one valid event.
func event(
    _ body: String,
    impliedType: EventType? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> Event {
    let batch = try decode(body, impliedType: impliedType)
    #expect(batch.rejections == [], sourceLocation: sourceLocation)
    return try #require(batch.events.first, sourceLocation: sourceLocation).event
}

/// The rejection of a body with one invalid event.
func rejection(
    _ body: String,
    as mediaType: BatchDecoder.MediaType = .json,
    impliedType: EventType? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> Rejection {
    let batch = try decode(body, as: mediaType, impliedType: impliedType)
    #expect(batch.events == [], sourceLocation: sourceLocation)
    return try #require(batch.rejections.first, sourceLocation: sourceLocation)
}

func touch(_ body: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Touch {
    try #require(try event(body, sourceLocation: sourceLocation).touch, sourceLocation: sourceLocation)
}

func post(_ fields: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> FeedPost {
    guard
        case .feedPost(let post) = try event(#"{"type":"feed_post",\#(fields)}"#, sourceLocation: sourceLocation)
            .content
    else { throw UnexpectedContent() }
    return post
}

func login(_ fields: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> Login {
    let body = #"{"type":"authentication","user_id":"u",\#(fields)}"#
    guard case .authentication(let login) = try event(body, sourceLocation: sourceLocation).content else {
        throw UnexpectedContent()
    }
    return login
}

struct UnexpectedContent: Error {}
