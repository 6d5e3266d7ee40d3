import Foundation
import Synchronization

/// What a child process writes, as it comes.
final class LogCollector: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isAtEnd = false
        var waiting: [CheckedContinuation<Void, Never>] = []

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private let state = Mutex(State())

    init(_ handle: FileHandle) {
        let descriptor = handle.fileDescriptor
        Thread.detachNewThread { [self] in
            // The thread keeps the handle open.
            _ = handle
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                let waiting = state.withLock { state in
                    if count > 0 { state.bytes += buffer[..<count] }
                    if count <= 0 { state.isAtEnd = true }
                    defer { state.waiting = [] }
                    return state.waiting
                }
                for continuation in waiting { continuation.resume() }
                if count <= 0 { return }
            }
        }
    }

    var text: String { state.withLock { $0.text } }

    /// Waits for the first `prefix`, and returns the word after it; nil if the process ended without it.
    func firstMatch(of prefix: String) async -> String? {
        while true {
            let (bytes, isAtEnd) = state.withLock { ($0.bytes, $0.isAtEnd) }
            let text = String(decoding: bytes, as: UTF8.self)
            if let range = text.firstRange(of: prefix),
                let end = text[range.upperBound...].firstIndex(where: \.isWhitespace)
            {
                return String(text[range.upperBound..<end])
            }
            if isAtEnd { return nil }
            await withCheckedContinuation { continuation in
                let isNews = state.withLock { state in
                    guard state.bytes.count == bytes.count, !state.isAtEnd else { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isNews { continuation.resume() }
            }
        }
    }
}
