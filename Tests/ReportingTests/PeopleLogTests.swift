@testable import Reporting
import Testing
import Timelines

@Suite("What a fold keeps of people")
struct PeopleLogTests {
    /// More than a piece.
    private static let people = (0..<40_000).map { (person: UInt32) in
        Array(repeating: person, count: 1 + Int(person % 3))
    }

    private static func log(_ file: TemporaryFile, keptLimit: Int) -> PeopleLog {
        let log = PeopleLog(file, keptLimit: keptLimit)
        for person in people { log.append(person) }
        return log
    }

    private static func people(in log: PeopleLog) throws -> [[UInt32]] {
        var people: [[UInt32]] = []
        try log.forEach { people.append(Array($0)) }
        return people
    }

    @Test func liesInAFile() throws {
        let log = Self.log(TemporaryFile(leaving: 0), keptLimit: 0)
        #expect(try Self.people(in: log) == Self.people)
    }

    @Test func staysInMemoryIfTheFileHasNoRoom() throws {
        let log = Self.log(TemporaryFile(in: "/nowhere"), keptLimit: 1 << 20)
        #expect(try Self.people(in: log) == Self.people)
    }

    @Test func isLostIfMemoryHasNoRoomEither() {
        let log = Self.log(TemporaryFile(in: "/nowhere"), keptLimit: 1 << 10)
        #expect(throws: TimelineError.self) { try Self.people(in: log) }
    }
}
