import Assistants
import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The lines of standard input as they come. The next bytes are read only when a line is asked for, so that a client
/// that sends faster than it is answered waits.
actor StandardInputLines {
    /// A message is some kilobytes.
    private static let lineLimit = 1 << 20
    private static let chunkBytes = 64 << 10

    private let queue = DispatchQueue(label: "standard-input")
    private var bytes: [UInt8] = []
    /// How many of the bytes are known to hold no line break.
    private var searched = 0
    private var isTooLong = false
    private var hasEnded = false

    /// Nil after the last line.
    ///
    /// - Throws: `CommandFailure` if standard input cannot be read.
    func next() async throws -> MCPServer.Line? {
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(bytes[..<end])
                bytes.removeFirst(end + 1)
                searched = 0
                defer { isTooLong = false }
                return isTooLong ? .tooLong(limit: Self.lineLimit) : .message(line)
            }
            searched = bytes.count
            if bytes.count > Self.lineLimit {
                isTooLong = true
                bytes = []
                searched = 0
            }
            if hasEnded {
                defer { bytes = [] }
                searched = 0
                return bytes.isEmpty ? nil : .message(bytes)
            }
            let read = try await chunk()
            hasEnded = read.isEmpty
            bytes += read
        }
    }

    private func chunk() async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                var count = 0
                let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkBytes) { buffer, initialized in
                    repeat { count = read(0, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
                    initialized = max(count, 0)
                }
                if count < 0 {
                    continuation.resume(throwing: CommandFailure(.badData, "standard input cannot be read"))
                } else {
                    continuation.resume(returning: chunk)
                }
            }
        }
    }
}
