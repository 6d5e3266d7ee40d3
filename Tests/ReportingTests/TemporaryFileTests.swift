import Foundation
@testable import Reporting
import Testing
@testable import Timelines

@Suite("Temporary file")
struct TemporaryFileTests {
    @Test func hasNoName() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "temporary-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = TemporaryFile(in: folder, leaving: 0)
        let first = try #require(file.append([1, 2, 3]))
        let second = try #require(file.append(Array("bytes".utf8)))
        #expect(try file.read(3, at: first) == [1, 2, 3])
        #expect(try file.read(5, at: second) == Array("bytes".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test func saysWhereThereIsNoRoom() {
        #expect(TemporaryFile(in: "/nowhere").append([1]) == nil)
    }

    /// The spool, which may be on the same disk, needs room.
    @Test func leavesRoomToOthers() {
        let file = TemporaryFile(leaving: .max / 2)
        #expect(file.append([1]) == nil)
    }

    /// As on a disk that has lost the file's contents.
    @Test func throwsIfItCannotBeRead() throws {
        let file = TemporaryFile(leaving: 0)
        let place = try #require(file.append([UInt8](repeating: 7, count: 10)))
        let error = #expect(throws: TimelineError.self) { try file.read(11, at: place) as [UInt8] }
        #expect(error?.description.contains("TMPDIR") == true)
    }
}
