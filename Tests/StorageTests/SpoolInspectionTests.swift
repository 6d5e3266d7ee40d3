import Foundation
import Logging
@testable import Storage
import Testing
import Time
import Events

@Suite("A spool seen from outside")
struct SpoolInspectionTests {
    typealias Base = StorageTesting

    @Test func tellsItsDepthWhileItIsInUseAndAfter() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "spool-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try SpoolInspection.all(in: folder).isEmpty)
        try await inspectOpenSpool(folder)
        let closed = try #require(try SpoolInspection.all(in: folder).first)
        #expect(closed.depth.events == 2)
        #expect(closed.isInUse != true)
        // A daemon can still use the file.
        let spool = try await Spool.open(in: folder, of: nil, logger: Logger(label: "test"))
        #expect(spool.depth.events == 2)
    }

    /// The system's list of locks is read to its end.
    @Test func findsALockAmongHundreds() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "locks-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var locks = try (0..<300).map { try #require(try FileLock(path: "\(folder)/\($0).lock")) }
        for number in [0, 150, 299] { #expect(SpoolInspection.isOpen("\(folder)/\(number)") != false) }
        locks.removeLast()
        #expect(SpoolInspection.isOpen("\(folder)/299") != true)
    }

    @Test func isNotInUseWhereNobodyHoldsALock() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "locks-\(UUID().uuidString)").path
        for file in [path, path + ".lock"] { try Data().write(to: URL(fileURLWithPath: file)) }
        defer { for file in [path, path + ".lock"] { unlink(file) } }
        #expect(SpoolInspection.isOpen(path, locks: path) == false)
        #expect(SpoolInspection.isOpen(path, locks: path + ".none") == nil)
    }

    private func inspectOpenSpool(_ folder: String) async throws {
        let spool = try await Spool.open(in: folder, of: nil, logger: Logger(label: "test"))
        let submission = Submission(
            appNumber: 1,
            keyPrefix: "trib_w_test",
            receivedAt: Base.noon,
            events: [Base.event(1, user: "u"), Base.event(2, user: "v")]
        )
        let inspections = try await spool.whileRunning {
            try await spool.append(submission)
            return try SpoolInspection.all(in: folder)
        }
        #expect(inspections.map(\.depth) == [spool.depth])
        #expect(inspections.first?.depth.oldestReceivedAt == Base.noon.microseconds)
        #expect(inspections.first?.isInUse != false)
    }
}
