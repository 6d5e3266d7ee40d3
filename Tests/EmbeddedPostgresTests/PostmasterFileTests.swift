import Testing

@testable import EmbeddedPostgres

@Suite struct PostmasterFileTests {
    @Test func readsWhatAServerWrites() throws {
        let text = "4711\n/data\n1700000000\n5432\n/run/x\n\n  5432001    123\nready   \n"
        let file = try #require(PostmasterFile(text: text))
        #expect(file.process == 4711)
        #expect(file.port == 5432)
        #expect(file.socketPath == "/run/x/.s.PGSQL.5432")
        #expect(file.isReady)
    }

    @Test(arguments: ["", "\n", "abc\n", "0\n", "-4\n"])
    func refusesWhatIsNoProcess(text: String) {
        #expect(PostmasterFile(text: text) == nil)
    }

    @Test func anUnfinishedFileIsNotReady() throws {
        let file = try #require(PostmasterFile(text: "4711\n/data\n"))
        #expect(!file.isReady)
        #expect(!file.isListening)
    }
}
