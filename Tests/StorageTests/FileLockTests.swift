import Foundation
import Synchronization
import Testing

@testable import Storage

@Suite("File locks")
struct FileLockTests {
    /// A number that is closed twice may belong to another thread by then, whose file or connection it would end.
    @Test func thatFailCloseNoFileOfOthers() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "lock-\(UUID())").path
        defer { unlink(path) }
        let held = try #require(try FileLock(path: path))
        let isOver = Mutex(false)
        let opened = Task.detached {
            var lost = 0
            while !isOver.withLock({ $0 }) {
                let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                if fcntl(descriptor, F_GETFD) < 0 || close(descriptor) < 0 { lost += 1 }
            }
            return lost
        }
        for _ in 0..<20_000 { #expect(try FileLock(path: path) == nil) }
        isOver.withLock { $0 = true }
        #expect(await opened.value == 0)
        withExtendedLifetime(held) {}
    }

    @Test func endWithTheirHolder() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "lock-\(UUID())").path
        defer { unlink(path) }
        do {
            let held = try #require(try FileLock(path: path))
            #expect(try FileLock(path: path) == nil)
            withExtendedLifetime(held) {}
        }
        #expect(try FileLock(path: path) != nil)
    }
}
