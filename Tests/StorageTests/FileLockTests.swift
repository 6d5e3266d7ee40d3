import Foundation
import Synchronization
import Testing

@testable import Storage

@Suite("File locks")
struct FileLockTests {
    private final class Shared: Sendable {
        let isOver = Atomic(false)
        let lost = Atomic(0)
    }

    /// A number that is closed twice may belong to another thread by then, whose file or connection it would end.
    @Test func thatFailCloseNoFileOfOthers() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "lock-\(UUID())").path
        defer { unlink(path) }
        let held = try #require(try FileLock(path: path))
        let shared = Shared()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    while !shared.isOver.load(ordering: .relaxed) {
                        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                        let isOpen = fcntl(descriptor, F_GETFD) >= 0
                        if close(descriptor) < 0 || !isOpen { shared.lost.add(1, ordering: .relaxed) }
                    }
                }
            }
            for _ in 0..<50_000 { _ = try? FileLock(path: path) }
            shared.isOver.store(true, ordering: .relaxed)
        }
        #expect(shared.lost.load(ordering: .relaxed) == 0)
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
