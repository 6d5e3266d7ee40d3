import Events
import Testing

@testable import TributaryClient

/// The fields that the client sends, against those that the server takes.
@Suite("The client's fields")
struct ClientFieldTests {
    private static func keys(of type: EventType) -> [String] {
        let own =
            switch type {
            case .inboundLink, .linkClick: TributaryLink.fields.map(\.key)
            case .feedPost: TributaryFeedPost.fields.map(\.key)
            case .install: TributaryEvent.installFields.map(\.key)
            case .authentication: TributaryLogin.fields.map(\.key)
            case .conversion: TributaryEvent.conversionFields.map(\.key)
            case .appOpen: [String]()
            }
        return TributaryEvent.fields.map(\.key) + own
    }

    /// The key says the app, and a backend's clock is right.
    @Test(arguments: EventType.allCases)
    func areThoseOfTheServer(type: EventType) {
        let taken = EventField.allCases.filter { type.takes($0) && $0 != .appID && $0 != .sentAt }
        #expect(Self.keys(of: type).sorted() == taken.map(\.key).sorted())
    }
}
