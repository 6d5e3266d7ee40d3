import Settings
import Testing

@Suite("Numbers below zero on a command line")
struct NegativeNumberTests {
    @Test(arguments: [
        ("list --limit -1", "list --limit=-1"), ("--from -7d --limit -.5 --yes", "--from=-7d --limit -.5 --yes"),
        ("--limit=-1 -2", "--limit=-1 -2"), ("remove -1", "remove -1"), ("-1", "-1"), ("-h -1", "-h -1"),
        ("save --limit -1 -- report --limit -1", "save --limit=-1 -- report --limit -1"),
        ("--limit - -x", "--limit - -x"),
    ])
    func areJoinedToTheirOptions(given: String, joined: String) {
        let arguments = NegativeNumber.joined(given.split(separator: " ").map(String.init))
        #expect(arguments.joined(separator: " ") == joined)
    }
}
