import Synchronization
import Timelines

/// The text of a list, in a temporary file, so that it can be sent after its transaction has ended, as slowly as its
/// reader reads.
package final class ListText: ExportSink, Sendable {
    private let file = TemporaryFile()
    private let state = Mutex(State())

    private struct State {
        var size = 0
        /// 64-bit FNV-1a.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    }

    package init() {}

    /// In bytes.
    package var size: Int { state.withLock { $0.size } }

    /// FNV-1a of the whole text, for the `ETag`: the same on every daemon.
    package var hash: UInt64 { state.withLock { $0.hash } }

    /// - Throws: `TimelineError.lostTemporaryFile` if there is no room for it.
    package func write(_ text: UnsafeRawBufferPointer, rows: Int) throws {
        guard !text.isEmpty else { return }
        guard file.append(Array(text)) != nil else {
            throw TimelineError.lostTemporaryFile("there is no room for the list")
        }
        state.withLock { state in
            state.size += text.count
            var hash = state.hash
            for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            state.hash = hash
        }
    }

    /// - Throws: `TimelineError.lostTemporaryFile`.
    package func bytes(at offset: Int, atMost count: Int) throws -> [UInt8] {
        try file.read(min(count, size - offset), at: offset)
    }
}
