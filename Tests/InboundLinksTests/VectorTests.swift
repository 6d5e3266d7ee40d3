import InboundLinks
import Testing

@Suite("Vectors")
struct VectorTests {
    @Test("inbound links read as documented", arguments: Vector.inboundLinks + Vector.cases)
    func inboundLink(_ vector: Vector) {
        #expect(vector.failures(in: LinkReader.read(vector.input).inspection) == [])
    }

    @Test("callbacks read as documented", arguments: Vector.feedPosts)
    func feedPost(_ vector: Vector) {
        #expect(vector.failures(in: FeedPostReader.read(vector.input, dialog: vector.dialog).inspection) == [])
    }

    @Test func areFound() {
        #expect(Vector.inboundLinks.count >= 34)
        #expect(Vector.feedPosts.count >= 19)
        #expect(Vector.cases.count >= 13)
    }
}
